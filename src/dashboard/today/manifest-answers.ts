/** The answers of a party on the manifest, so that a guide can read about each person in one row. Pure. */
import type { ProductQuestion } from '../../catalogue/products/questions.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import {
  type AnsweredQuestion,
  answerLines,
  isDifferent,
  listAnswered,
  openQuestionsHint,
} from '../parts/answers.ts'

/**
 * Shows the answers that are the same for the whole party once; then a table with a row for each participant
 * and a column for each question with different answers; then the open questions.
 */
export function manifestAnswers(
  t: Texts,
  questions: readonly ProductQuestion[],
  party: BookingRecord,
): Markup {
  const answered = listAnswered(t, questions, party)
  const ofEach = answered.filter(isDifferent)
  const ofAll = answered.filter((one) => !isDifferent(one))
  return html`${answerLines(t, ofAll, party)}${ofEach.length > 0 ? peopleTable(t, ofEach, party) : ''}${openQuestionsHint(t, questions, party)}`
}

function peopleTable(
  t: Texts,
  answered: readonly AnsweredQuestion[],
  { Participants }: BookingRecord,
): Markup {
  const rows = Array.from({ length: Participants }, (_, index) => {
    const cells = answered.map(
      ({ question, texts }) =>
        html`<td role="cell" data-head="${question.label}">${texts[index] || '–'}</td>`,
    )
    return html`<tr role="row"><th role="rowheader" scope="row">${t.say('form.participant', { number: index + 1 })}</th>${cells}</tr>\n`
  })
  return html`<table role="table" class="people"><thead role="rowgroup"><tr role="row"><td role="cell"></td>${answered.map(({ question }) => html`<th role="columnheader" scope="col">${question.label}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`
}
