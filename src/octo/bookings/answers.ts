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
 */
export function readAnswers(
  { questionAnswers = [], unitItems = [] }: AnsweredBody,
  questions: NamedRow['questions'],
  standing: Answers,
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
      if (question?.appliesTo === appliesTo) take(question.id, value)
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
      const list = texts.get(id) ?? unitItems.map(() => '')
      if (Array.isArray(list)) texts.set(id, list.with(place, text))
    })
  if (errors.length > 0) return { errors }
  const answers = [...texts].map(([QuestionID, Value]) => ({ QuestionID, Value }))
  const isSaid = ({ Value }: Answers[number]) => [Value].flat().some((text) => text !== '')
  return {
    answers: [...standing.filter(({ QuestionID }) => !texts.has(QuestionID)), ...answers.filter(isSaid)],
  }
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
