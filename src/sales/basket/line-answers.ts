/** The answers of a form for a whole sale, each with its line. Pure. */
import type { Texts } from '../../languages/texts.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { answerLabels, type LineAnswer, labelWith, unanswered } from '../booking/answer-fields.ts'
import type { DescribedLine } from './description.ts'

/** The stored answers of the lines, each with the number of its line as in nthOf(). */
export function storedAnswers(lines: readonly DescribedLine[]): LineAnswer[] {
  return lines.flatMap(({ answers }, index) => {
    const nth = nthOf(lines, index)
    return answers.map(({ QuestionID, Value }) => ({ QuestionID, Value, nth }))
  })
}

/** Each line with its questions and, as `own`, the given answers to them. */
export function answersOfLines(lines: readonly DescribedLine[], answers: readonly LineAnswer[]) {
  return lines.map(({ line, questions }, index) => {
    const nth = nthOf(lines, index)
    const ids = new Set(questions.map(({ id }) => id))
    const own = answers.filter((answer) => answer.nth === nth && ids.has(answer.QuestionID))
    return { line, questions, own, nth }
  })
}

/** The number of the line among the lines of the same product, from 1. */
function nthOf(lines: readonly DescribedLine[], index: number): number {
  const { ActivityID } = lines[index]!.line
  return lines.slice(0, index + 1).filter(({ line }) => line.ActivityID === ActivityID).length
}

/** One error for each field of a required question that these answers leave empty. */
export function missingAnswers(
  lines: readonly DescribedLine[],
  answers: readonly LineAnswer[],
): FieldError[] {
  return answersOfLines(lines, answers).flatMap(({ line, questions, own, nth }) =>
    unanswered(questions, own, line.Participants, nth),
  )
}

/** The labels of the fields of the questions. In a sale of several lines, each label names its line. */
export function lineAnswerLabels(t: Texts, lines: readonly DescribedLine[]): [string, string][] {
  return answersOfLines(lines, []).flatMap(({ line, questions, nth }) =>
    answerLabels(t, questions, { participants: line.Participants, nth, of: lineText(t, lines, line) }),
  )
}

/** The required questions that have no complete answer in a sale, each with its first empty field. */
export function openQuestions(t: Texts, lines: readonly DescribedLine[]): { field: string; label: string }[] {
  return answersOfLines(lines, storedAnswers(lines)).flatMap(({ line, questions, own, nth }) =>
    questions.flatMap((question) => {
      const [first] = unanswered([question], own, line.Participants, nth)
      return first
        ? [{ field: first.field, label: labelWith(question.label, [lineText(t, lines, line)]) }]
        : []
    }),
  )
}

/**
 * A text that names the line in a sale of several lines: the product and the time. Empty in a sale of one
 * line.
 */
function lineText(t: Texts, lines: readonly DescribedLine[], line: DescribedLine['line']): string {
  return lines.length > 1 ? `${line.ProductName}, ${t.clock(line.Time)}` : ''
}
