/** The notice that customers of closed timeslots must still be called. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'

/** @param open the number of open calls; without any, there is no notice. */
export function callsNotice(open: number, t: Texts): Markup {
  if (open === 0) return html``
  const link = (words: Markup) => html`<a href="/dashboard/calendar/calls">${words}</a>`
  return html`<p class="notice no-print">${markupOf(t, 'calls-notice', { count: open, link })}</p>`
}
