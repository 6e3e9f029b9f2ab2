/** Answers to a product's questions: as OCTO writes them, of a booking or of each of its items, and as bookings keep them. Pure. */
import type { FieldError } from '../../platform/schema/validation.ts'
import type { Answers } from '../../sales/booking/answers.ts'
import type { NamedRow } from './queries.ts'
import type { ReserveBody } from './request-schemas.ts'

type OctoGivenAnswers = NonNullable<ReserveBody['questionAnswers']>
type AnsweredBody = Pick<ReserveBody, 'questionAnswers' | 'unitItems'>

const misplaced = {
  booking: 'is asked once: answer it with the booking',
  participant: 'is asked of each participant: answer it with the items',
}

/** What a booking's answers are to become, or what is wrong with those that are given. */
export type ReadAnswers = { answers: Answers; errors?: never } | { answers?: never; errors: FieldError[] }

/**
 * Answers that are given over those that stand. One to a question that is asked of each participant is a list, with the
 * answer of each item in its place.
 * @param order the items of the request as the booking has them; left out, as they are.
 */
export function readAnswers(
  { questionAnswers = [], unitItems = [] }: AnsweredBody,
  questions: NamedRow['questions'],
  standing: Answers,
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
          message: question ? misplaced[question.appliesTo] : 'is no question of this option',
        })
      }
    }
  }
  each(questionAnswers, '', 'booking', (id, text) => texts.set(id, text))
  for (const [place, { questionAnswers: given = [] }] of unitItems.entries())
    each(given, `unitItems[${place}].`, 'participant', (id, text) => {
      const list = texts.get(id) ?? unitItems.map((_, one) => answerOfItem(standing, id, one) ?? '')
      if (Array.isArray(list)) texts.set(id, list.with(order.indexOf(place), text))
    })
  if (errors.length > 0) return { errors }
  const answers = [...texts].map(([QuestionID, Value]) => ({ QuestionID, Value }))
  const isSaid = ({ Value }: Answers[number]) => [Value].flat().some((text) => text !== '')
  return {
    answers: [...standing.filter(({ QuestionID }) => !texts.has(QuestionID)), ...answers.filter(isSaid)],
  }
}

/**
 * Answers as they are once a booking has other items: `from` has the former place of each item, or null for a new one, of
 * whom nothing is known.
 */
export function moveAnswers(
  standing: Answers,
  questions: NamedRow['questions'],
  from: readonly (number | null)[],
): Answers {
  const ofItems = new Set(questions.filter((one) => one.appliesTo === 'participant').map(({ id }) => id))
  return standing.flatMap(({ QuestionID, Value }) => {
    if (!ofItems.has(QuestionID)) return [{ QuestionID, Value }]
    const list = from.map((place) => (place === null ? '' : ([Value].flat()[place] ?? '')))
    return list.some((text) => text !== '') ? [{ QuestionID, Value: list }] : []
  })
}

/** Whether a request has answers at all. */
export function hasAnswers({ questionAnswers, unitItems = [] }: AnsweredBody): boolean {
  return questionAnswers !== undefined || unitItems.some((item) => item.questionAnswers !== undefined)
}

/** What was answered to a question that is asked once; null where it was not. */
export function answerOfBooking(answers: Answers, questionId: number): string | null {
  const answer = answers.find(({ QuestionID }) => QuestionID === questionId)
  return answer ? [answer.Value].flat().join(', ') : null
}

/** What was answered for the item at this place; null where nothing was. */
export function answerOfItem(answers: Answers, questionId: number, place: number): string | null {
  const answer = answers.find(({ QuestionID }) => QuestionID === questionId)
  return (answer && [answer.Value].flat()[place]) || null
}
