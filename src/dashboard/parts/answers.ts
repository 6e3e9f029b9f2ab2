/** Answers to waiver questions in forms of the dashboard, and to be read. */
import type { FastifyRequest } from 'fastify'
import type { Question } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { answerFieldName, readAnswers } from '../../sales/booking/answer-fields.ts'
import { textsFor } from '../../sales/booking/answers.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { renameFaults } from '../frame/forms.ts'

export {
  answerFields,
  answerLabels,
  type LineAnswer,
  readAnswers,
  unanswered,
} from '../../sales/booking/answer-fields.ts'

export type GivenAnswers = BookingRecord['Answers']

/** Puts the answers of a form into its body, before that is checked. */
export async function takeAnswers(request: FastifyRequest): Promise<void> {
  const Answers = readAnswers(request.formFields).map(({ QuestionID, Value }) => ({ QuestionID, Value }))
  Object.assign(request.body as object, { Answers })
}

/** The same error, with what it says of an answer said of its field. */
export function asOfFields(
  error: unknown,
  answers: readonly (GivenAnswers[number] & { nth?: number })[],
): unknown {
  return renameFaults(error, (field) => {
    const answer = answers[Number(/^Answers\[(\d+)\]/.exec(field)?.[1])]
    return answer ? answerFieldName(answer.QuestionID, answer.nth) : field
  })
}

/** Answers to be read, each with the text of its question. */
export function answerList(questions: readonly Question[], answers: GivenAnswers): Markup {
  const labels = new Map(questions.map(({ id, label }) => [id, label]))
  return html`<dl class="facts">${answers.map(({ QuestionID, Value }) => {
    const label = labels.get(QuestionID) ?? `Question ${QuestionID}, which is asked no more`
    return html`<div><dt>${label}</dt><dd>${[Value].flat().join(' · ')}</dd></div>`
  })}</dl>`
}

/** Every question that has an answer, required or not: an allergy matters as much. */
export function answersOf(questions: readonly Question[], { Answers }: BookingRecord): Markup {
  const answered = questions.flatMap(({ id, label }) => {
    const texts = textsFor(Answers, id).filter((text) => text.trim() !== '')
    return texts.length > 0 ? [html`<li>${label} <strong>${texts.join(' · ')}</strong></li>`] : []
  })
  return answered.length > 0 ? html`<ul class="answers">${answered}</ul>` : html``
}
