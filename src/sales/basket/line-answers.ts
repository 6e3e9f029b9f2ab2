/** The answers of a form for a whole sale, each with its line. Pure. */
import type { Texts } from '../../languages/texts.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { answerLabels, type LineAnswer, unanswered } from '../booking/answer-fields.ts'
import type { DescribedLine } from './description.ts'

/** The answers that the lines have. */
export function knownAnswers(lines: readonly DescribedLine[]): LineAnswer[] {
  return lines.flatMap(({ answers }, index) => {
    const nth = nthOf(lines, index)
    return answers.map(({ QuestionID, Value }) => ({ QuestionID, Value, nth }))
  })
}

/** Each line with its own answers. */
export function answersOfLines(lines: readonly DescribedLine[], answers: readonly LineAnswer[]) {
  return lines.map(({ line, questions }, index) => {
    const nth = nthOf(lines, index)
    const ids = new Set(questions.map(({ id }) => id))
    const own = answers.filter((answer) => answer.nth === nth && ids.has(answer.QuestionID))
    return { line, questions, own, nth }
  })
}

/** The number of the line among the lines of its product. */
function nthOf(lines: readonly DescribedLine[], index: number): number {
  const { ActivityID } = lines[index]!.line
  return lines.slice(0, index + 1).filter(({ line }) => line.ActivityID === ActivityID).length
}

/** The required questions that these answers leave open, by the names of their fields. */
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
    answerLabels(questions, nth).map(([field, label]): [string, string] => [
      field,
      lines.length > 1 ? `${label} (${line.ProductName}, ${t.clock(line.Time)})` : label,
    ]),
  )
}
