/**
 * Converts answers to a product's questions between the format of OCTO (by booking or by item) and that of bookings.
 * Pure.
 */
import type { FieldError } from '../../platform/schema/validation.ts'
import type { Answers } from '../../sales/booking/answers.ts'
import type { NamedRow } from './named-queries.ts'
import type { ReserveBody } from './request-schemas.ts'

type OctoGivenAnswers = NonNullable<ReserveBody['questionAnswers']>
type AnsweredBody = Pick<ReserveBody, 'questionAnswers' | 'unitItems'>

const misplaced = {
  booking: 'is asked once: answer it with the booking',
  participant: 'is asked of each participant: answer it with the items',
}

/** The new answers of a booking, or what is wrong with the given ones. */
export type ReadAnswers = { answers: Answers; errors?: never } | { answers?: never; errors: FieldError[] }

/**
 * The answers of a booking after a request: an answer of the request replaces the stored answer to the same
 * question, and an empty text removes it. A question that is asked of each participant has a list of answers,
 * in the order of the items. Returns errors instead if an answer of the request is not valid.
 * @param order for each item of the booking, its position in the request. If left out, the items have the
 * same order in the booking and in the request.
 */
export function readAnswers(
  { questionAnswers = [], unitItems = [] }: AnsweredBody,
  questions: NamedRow['questions'],
  existing: Answers,
  order: readonly number[] = unitItems.map((_, place) => place),
): ReadAnswers {
  const errors: FieldError[] = []
  const texts = new Map<number, string | string[]>()
  const each = (
    given: OctoGivenAnswers,
    path: string,
    appliesTo: string,
    take: (id: number, text: string) => void,
  ) => {
    for (const [index, { questionId, value = '' }] of given.entries()) {
      const question = questions.find(({ id }) => String(id) === questionId)
      const isChoice = question && question.choices.length > 0 && value !== ''
      if (question?.appliesTo === appliesTo && isChoice && !question.choices.includes(value))
        errors.push({
          field: `${path}questionAnswers[${index}].value`,
          message: `must be one of ${question.choices.join(', ')}`,
        })
      else if (question?.appliesTo === appliesTo) take(question.id, value)
      else {
        const field = `${path}questionAnswers[${index}].questionId`
        errors.push({
          field,
          message: question ? misplaced[question.appliesTo] : 'is not a question of this option',
        })
      }
    }
  }
  each(questionAnswers, '', 'booking', (id, text) => texts.set(id, text))
  for (const [place, { questionAnswers: given = [] }] of unitItems.entries())
    each(given, `unitItems[${place}].`, 'participant', (id, text) => {
      const list = texts.get(id) ?? unitItems.map((_, one) => answerOfItem(existing, id, one) ?? '')
      if (Array.isArray(list)) texts.set(id, list.with(order.indexOf(place), text))
    })
  if (errors.length > 0) return { errors }
  const answers = [...texts].map(([QuestionID, Value]) => ({ QuestionID, Value }))
  const isSaid = ({ Value }: Answers[number]) => [Value].flat().some((text) => text !== '')
  return {
    answers: [...existing.filter(({ QuestionID }) => !texts.has(QuestionID)), ...answers.filter(isSaid)],
  }
}

/**
 * The answers after the items of a booking have changed. `from` has the former position of each item, or null
 * for a new item, which has no answers yet.
 */
export function moveAnswers(
  existing: Answers,
  questions: NamedRow['questions'],
  from: readonly (number | null)[],
): Answers {
  const ofItems = new Set(questions.filter((one) => one.appliesTo === 'participant').map(({ id }) => id))
  return existing.flatMap(({ QuestionID, Value }) => {
    if (!ofItems.has(QuestionID)) return [{ QuestionID, Value }]
    const list = from.map((place) => (place === null ? '' : ([Value].flat()[place] ?? '')))
    return list.some((text) => text !== '') ? [{ QuestionID, Value: list }] : []
  })
}

/** Whether a request has any answers. */
export function hasAnswers({ questionAnswers, unitItems = [] }: AnsweredBody): boolean {
  return questionAnswers !== undefined || unitItems.some((item) => item.questionAnswers !== undefined)
}

/** The answer to a question that is asked once; null if there is none. */
export function answerOfBooking(answers: Answers, questionId: number): string | null {
  const answer = answers.find(({ QuestionID }) => QuestionID === questionId)
  return answer ? [answer.Value].flat().join(', ') : null
}

/** The answer of the item at this position; null if there is none. */
export function answerOfItem(answers: Answers, questionId: number, place: number): string | null {
  const answer = answers.find(({ QuestionID }) => QuestionID === questionId)
  return (answer && [answer.Value].flat()[place]) || null
}
