/** The notice that customers of closed timeslots must still be called. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'

/** @param open the number of open calls; without any, there is no notice. */
export function callsNotice(open: number, t: Texts): Markup {
  if (open === 0) return html``
  const who =
    open === 1 ? '1 customer of a closed timeslot is' : `${t.number(open)} customers of closed timeslots are`
  return html`<p class="notice no-print">${who} not told yet. <a href="/dashboard/calendar/calls">Whom to call</a></p>`
}
