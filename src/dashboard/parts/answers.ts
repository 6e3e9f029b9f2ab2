/** Answers to waiver questions, in forms and on pages of the dashboard. */
import type { FastifyRequest } from 'fastify'
import type { ProductQuestion } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import { answerFieldName, participantField, readAnswers } from '../../sales/booking/answer-fields.ts'
import { listLacking, textsFor } from '../../sales/booking/answers.ts'
import { listOpenQuestions } from '../../sales/booking/desk/questions.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { renameFaults } from '../frame/forms.ts'
import { bookingPath } from './subject.ts'

export {
  answerFields,
  answerLabels,
  type LineAnswer,
  readAnswers,
  unanswered,
} from '../../sales/booking/answer-fields.ts'

export type GivenAnswers = BookingRecord['Answers']

/** Reads the answers of a form into its body, before the body is checked. */
export async function takeAnswers(request: FastifyRequest): Promise<void> {
  const Answers = readAnswers(request.formFields).map(({ QuestionID, Value }) => ({ QuestionID, Value }))
  Object.assign(request.body as object, { Answers })
}

/** The same error, with the form's fields instead of the answers' paths. */
export function asOfFields(
  error: unknown,
  answers: readonly (GivenAnswers[number] & { nth?: number })[],
): unknown {
  return renameFaults(error, (field) => {
    const [, place, index = '0'] = /^Answers\[(\d+)\](?:\.Value\[(\d+)\])?/.exec(field) ?? []
    const answer = answers[Number(place)]
    if (!answer) return field
    return participantField(answerFieldName(answer.QuestionID, answer.nth), Number(index) + 1)
  })
}

/** The answers of a party; once where all of several people have given the same. */
function inShort(t: Texts, answers: readonly string[], participants: number): string {
  const isSame = participants > 1 && answers.length === participants && new Set(answers).size === 1
  return isSame ? t.say('answers.same', { answer: answers[0]!, count: answers.length }) : answers.join(' · ')
}

type AnsweredBooking = Pick<BookingRecord, 'BookingReference' | 'ProductID' | 'Participants' | 'Answers'>

/** The answers of a booking on its page, and the open questions; empty if there are no questions. */
export function answersPart(t: Texts, questions: readonly ProductQuestion[], booking: BookingRecord): Markup {
  if (questions.length + booking.Answers.length === 0) return html``
  return html`<section id="answers" aria-labelledby="answers-title"><h2 id="answers-title">${t.say('answers.title')}</h2>
${booking.Status === 'confirmed' ? stillToAsk(t, questions, booking) : ''}
${booking.Answers.length > 0 ? answerList(t, questions, booking) : html`<p class="hint">${t.say('answers.none')}</p>`}</section>`
}

/** Each answer with its question, and with the product if that is another one. */
function answerList(
  t: Texts,
  questions: readonly ProductQuestion[],
  { ProductID, Answers }: AnsweredBooking,
): Markup {
  const asked = new Map(questions.map((question) => [question.id, question]))
  return html`<dl class="facts">${Answers.map(({ QuestionID, Value }) => {
    const question = asked.get(QuestionID)
    const isOthers = question && question.productId !== ProductID
    const product = isOthers
      ? html` <span class="hint">${t.say('answers.asked-for', { product: question.productName })}</span>`
      : ''
    const label = question?.label ?? t.say('answers.deleted')
    const texts = [Value].flat().map((text) => (text ? answerText(t, question?.type, text) : '–'))
    return html`<div><dt>${label}${product}</dt><dd>${texts.join(' · ')}</dd></div>`
  })}</dl>`
}

/** Every answered question, required or not, because an allergy matters as much. Then the open questions. */
export function answersOf(t: Texts, questions: readonly ProductQuestion[], booking: AnsweredBooking): Markup {
  const answered = questions.flatMap(({ id, label, type }) => {
    const texts = textsFor(booking.Answers, id).filter((text) => text.trim() !== '')
    const shown = texts.map((text) => answerText(t, type, text))
    return shown.length > 0
      ? [
          html`<li><span class="asked">${label}</span> <strong>${inShort(t, shown, booking.Participants)}</strong></li>`,
        ]
      : []
  })
  const list = answered.length > 0 ? html`<ul class="answers">${answered}</ul>` : html``
  return html`${list}${stillToAsk(t, questions, booking)}`
}

/** A date as the reader's language writes it, mostly one of birth; any other answer as it was given. */
export function answerText(t: Texts, type: ProductQuestion['type'] | undefined, text: string): string {
  return type === 'date' && isCalendarDate(text) ? t.plainDay(text) : text
}

/** The required questions without an answer, with a link to their form. */
function stillToAsk(t: Texts, questions: readonly ProductQuestion[], booking: AnsweredBooking): Markup {
  const open = openQuestionsText(t, questions, booking)
  if (open === null) return html``
  const link = (words: Markup) =>
    html`<a href="${bookingPath(booking.BookingReference)}/customer">${words}</a>`
  return html`<p class="to-ask">${markupOf(t, 'answers.to-ask', { questions: open, link })}</p>`
}

/** The open questions, each with how many people have not answered it if others have. Null if no question is open. */
export function openQuestionsText(
  t: Texts,
  questions: readonly ProductQuestion[],
  booking: Pick<BookingRecord, 'ProductID' | 'Answers' | 'Participants'>,
): string | null {
  const open = listOpenQuestions(questions, booking)
  const { Answers, Participants } = booking
  const texts = open.map((question) => {
    const count = listLacking(question, Answers, Participants).length
    return count > 0 && count < Participants
      ? t.say('answers.lacking', { label: question.label, count })
      : question.label
  })
  return texts.length === 0 ? null : texts.join(' · ')
}
