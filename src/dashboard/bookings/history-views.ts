/** The history of a booking and its e-mails. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import { table } from '../frame/layout.ts'
import { emailKindName, emailStatusBadge } from '../parts/email-words.ts'
import { type HistoryNames, historyText } from '../parts/history-words.ts'

export function historyPart(t: Texts, booking: BookingDetail, names: HistoryNames, timeZone: string): Markup {
  return html`<section data-live id="history" aria-labelledby="history-title">
<h2 id="history-title">History</h2>
${table(
  'History of the booking',
  [
    { head: 'When', cell: ({ At }) => t.moment(At, timeZone) },
    { head: 'What', cell: (happening) => historyText(t, happening, names) },
  ],
  booking.History,
)}
<h2>E-mails</h2>
${booking.Emails.length > 0 ? emails(t, booking, timeZone) : html`<p class="hint">No e-mail was sent about it.</p>`}
</section>`
}

function emails(t: Texts, { Emails }: BookingDetail, timeZone: string): Markup {
  return table(
    'E-mails about the booking',
    [
      { head: 'Kind', cell: ({ Kind, Workflow }) => Workflow ?? emailKindName(t, Kind) },
      { head: 'Status', cell: ({ Status }) => emailStatusBadge(t, Status) },
      { head: 'Made', cell: ({ CreatedAt }) => t.moment(CreatedAt, timeZone) },
      { head: 'Sent', cell: ({ SentAt }) => (SentAt ? t.moment(SentAt, timeZone) : '–') },
    ],
    Emails,
  )
}
