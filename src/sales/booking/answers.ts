/** Checks the answers to waiver questions, finds missing ones, and converts them to their stored form. */
import type { Question } from '../../catalogue/products/questions.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import type { BookingRequest } from './schemas.ts'

export type Answers = NonNullable<BookingRequest['Answers']>

/**
 * One error for each answer to a question that is not among `questionIds`.
 * @param path the prefix of field names: `Lines[0].`, or empty.
 */
export function checkAnswers(
  answers: Answers | undefined,
  questionIds: readonly number[],
  path = '',
): FieldError[] {
  return (answers ?? []).flatMap(({ QuestionID }, index) =>
    questionIds.includes(QuestionID)
      ? []
      : [{ field: `${path}Answers[${index}].QuestionID`, message: 'is not a question of this activity' }],
  )
}

/**
 * The required questions without an answer. A question that is asked of each participant counts as unanswered until
 * every participant has answered it.
 */
export function listUnanswered<Asked extends Question>(
  questions: readonly Asked[],
  answers: Answers,
  participants: number,
): Asked[] {
  return questions.filter((question) => {
    if (!question.required) return false
    if (isOfEach(question, participants)) return listLacking(question, answers, participants).length > 0
    return textsFor(answers, question.id).every((text) => text.trim() === '')
  })
}

/**
 * The numbers of the participants who have not answered a question that is asked of each participant. Empty
 * for other questions, and for a party of one.
 */
export function listLacking(question: Question, answers: Answers, participants: number): number[] {
  if (!isOfEach(question, participants)) return []
  const texts = textsFor(answers, question.id)
  return Array.from({ length: participants }, (_, index) => index + 1).filter(
    (number) => (texts[number - 1] ?? '').trim() === '',
  )
}

/** Whether each participant of the party answers the question separately. False for a party of one. */
export function isOfEach({ appliesTo }: Question, participants: number): boolean {
  return appliesTo === 'participant' && participants > 1
}

export function textsFor(answers: Answers, questionId: number): string[] {
  return answers.flatMap(({ QuestionID, Value }) => (QuestionID === questionId ? [Value].flat() : []))
}

// OCTO responses join the choices in the same way, if there is one answer for the whole booking.
const betweenChoices = ', '

/** Joins the choices of one participant into one text, because an answer has one text for each participant. */
export function joinChoices(choices: readonly string[]): string {
  return choices.filter((choice) => choice.trim() !== '').join(betweenChoices)
}

/**
 * Splits a text that joinChoices() made into its choices. If no option begins at a position, the rest from there is
 * one choice. If an option is equal to several others joined, the text is read as that option.
 */
export function choicesIn(text: string, options: readonly string[]): string[] {
  // The longest option first, because it may begin with the text of a shorter option.
  const known = options.toSorted((one, other) => other.length - one.length)
  const found: string[] = []
  let rest = text
  while (rest !== '') {
    const option = known.find((one) => rest === one || rest.startsWith(one + betweenChoices))
    found.push(option ?? rest)
    rest = option === undefined ? '' : rest.slice(option.length + betweenChoices.length)
  }
  return found
}

/**
 * The ids of the questions that a booking has already answered. They stay valid even if the product no longer asks
 * them.
 */
export function idsOfAnswered(existing: readonly { QuestionID: number }[]): number[] {
  return existing.map(({ QuestionID }) => QuestionID)
}

/** Answers without fields that the service does not know. */
export function toStoredAnswers(answers: Answers | undefined): Answers {
  return (answers ?? []).map(({ QuestionID, Value }) => ({ QuestionID, Value }))
}
