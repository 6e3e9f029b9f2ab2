/** What a party answered, for who leads it. Pure. */
import type { Question } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { textsFor } from '../parts/answers.ts'

/** Every question that has an answer, required or not: an allergy matters as much. */
export function answersOf(questions: readonly Question[], { Answers }: BookingRecord): Markup {
  const answered = questions.flatMap(({ id, label }) => {
    const texts = textsFor(Answers, id).filter((text) => text.trim() !== '')
    return texts.length > 0 ? [html`<li>${label} <strong>${texts.join(' · ')}</strong></li>`] : []
  })
  return answered.length > 0 ? html`<ul class="answers">${answered}</ul>` : html``
}
