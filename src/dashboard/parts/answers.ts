/** Answers to waiver questions, in forms and on pages of the dashboard. */
import type { FastifyRequest } from 'fastify'
import type { ProductQuestion } from '../../catalogue/products/questions.ts'
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

/** Puts the answers of a form into the request body as `Answers`, before the body is checked. */
export async function takeAnswers(request: FastifyRequest): Promise<void> {
  const Answers = readAnswers(request.formFields).map(({ QuestionID, Value }) => ({ QuestionID, Value }))
  Object.assign(request.body as object, { Answers })
}

/** The same error, with the names of the form's fields instead of the paths in `Answers`. */
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

type AnsweredBooking = Pick<BookingRecord, 'BookingReference' | 'ProductID' | 'Participants' | 'Answers'>

/**
 * The answers on the page of a booking, and the open questions if the booking is confirmed and its customer
 * is not erased. Empty if there are neither questions nor answers.
 */
export function answersPart(
  t: Texts,
  questions: readonly ProductQuestion[],
  booking: BookingRecord,
  isErased: boolean,
): Markup {
  if (questions.length + booking.Answers.length === 0) return html``
  return html`<section id="answers" aria-labelledby="answers-title"><h2 id="answers-title">${t.say('answers.title')}</h2>
${booking.Status === 'confirmed' && !isErased ? openQuestionsHint(t, questions, booking) : ''}
${booking.Answers.length > 0 ? answerList(t, questions, booking) : html`<p class="hint">${t.say('answers.none')}</p>`}</section>`
}

/**
 * Each answer with its question. If the question belongs to a product other than the booked one, the
 * name of that product is shown beside it.
 */
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

/**
 * A question with the answers of a party as texts. A question to each participant has one text for each of
 * them; an empty text is a missing answer. A question to the whole party has one text for each choice.
 */
export type AnsweredQuestion = { question: ProductQuestion; texts: readonly string[] }

/**
 * Every question that has an answer. Optional questions are included, because an answer may be an allergy.
 */
export function listAnswered(
  t: Texts,
  questions: readonly ProductQuestion[],
  { Answers }: AnsweredBooking,
): AnsweredQuestion[] {
  return questions.flatMap((question) => {
    const texts = textsFor(Answers, question.id).map((text) => answerText(t, question.type, text.trim()))
    return texts.some((text) => text !== '') ? [{ question, texts }] : []
  })
}

/**
 * Whether the participants of a party have different answers. A missing answer differs from a given one. The
 * answer to a question to the whole party counts as one answer, even if it has several choices.
 */
export function isDifferent({ question, texts }: AnsweredQuestion): boolean {
  return question.appliesTo === 'participant' && new Set(texts).size > 1
}

/**
 * The answered questions as a list. If all people of a party gave the same answer, the answer is shown once.
 */
export function answerLines(
  t: Texts,
  answered: readonly AnsweredQuestion[],
  { Participants }: AnsweredBooking,
): Markup {
  const line = ({ question, texts }: AnsweredQuestion) => {
    const given = texts.filter((text) => text !== '')
    const isSame = Participants > 1 && given.length === Participants && new Set(given).size === 1
    const answer = isSame
      ? t.say('answers.same', { answer: given[0]!, count: given.length })
      : given.join(' · ')
    return html`<li><span class="asked">${question.label}</span> <strong>${answer}</strong></li>`
  }
  return answered.length > 0 ? html`<ul class="answers">${answered.map(line)}</ul>` : html``
}

/** All answers of a party, then its open questions: the required ones without an answer. */
export function answersOf(t: Texts, questions: readonly ProductQuestion[], booking: AnsweredBooking): Markup {
  return html`${answerLines(t, listAnswered(t, questions, booking), booking)}${openQuestionsHint(t, questions, booking)}`
}

/**
 * Like answersOf(), but short, for a list of many parties. Answers that are not free text are folded, and the
 * summary names them without their questions. Free text, such as an allergy, and answers that differ within
 * the party are always shown in full. If only one answer could be folded, it is shown in full too.
 */
export function answersInShort(
  t: Texts,
  questions: readonly ProductQuestion[],
  booking: AnsweredBooking,
): Markup {
  const answered = listAnswered(t, questions, booking)
  const isFoldable = (one: AnsweredQuestion) =>
    one.question.type !== 'text' && one.question.type !== 'textarea' && !isDifferent(one)
  const folded = answered.filter(isFoldable)
  if (folded.length < 2) return answersOf(t, questions, booking)
  const shown = answered.filter((one) => !isFoldable(one))
  const answers = folded.map(({ texts }) => [...new Set(texts)].join(' · ')).join(' · ')
  return html`${answerLines(t, shown, booking)}
<details class="more-answers" id="answers-${booking.BookingReference}"><summary>${markupOf(t, 'answers.short', { answers, strong: (words) => html`<strong>${words}</strong>` })}</summary>${answerLines(t, folded, booking)}</details>${openQuestionsHint(t, questions, booking)}`
}

/** A date, such as a date of birth, in the format of the reader's language. Any other answer is returned unchanged. */
export function answerText(t: Texts, type: ProductQuestion['type'] | undefined, text: string): string {
  return type === 'date' && isCalendarDate(text) ? t.plainDay(text) : text
}

/** The required questions without an answer, with a link to their form. */
export function openQuestionsHint(
  t: Texts,
  questions: readonly ProductQuestion[],
  booking: AnsweredBooking,
): Markup {
  const open = openQuestionsText(t, questions, booking)
  if (open === null) return html``
  const link = (words: Markup) =>
    html`<a href="${bookingPath(booking.BookingReference)}/customer">${words}</a>`
  return html`<p class="to-ask">${markupOf(t, 'answers.to-ask', { questions: open, link })}</p>`
}

/**
 * The open questions as text; null if there are none. If only some people have not answered a question, the
 * text names their number.
 */
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
