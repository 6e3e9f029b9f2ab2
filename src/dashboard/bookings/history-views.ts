/** The history of a booking and its e-mails. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import { table } from '../frame/layout.ts'
import { emailKindName, emailStatusBadge } from '../parts/email-words.ts'
import { type HistoryNames, historyText } from '../parts/history-words.ts'

export function historyPart(t: Texts, booking: BookingDetail, names: HistoryNames, timeZone: string): Markup {
  return html`<section data-live id="history" aria-labelledby="history-title">
<h2 id="history-title">${t.say('booking.history')}</h2>
${table(
  t.say('booking.history.list'),
  [
    { head: t.say('word.when'), cell: ({ At }) => t.moment(At, timeZone) },
    {
      head: t.say('booking.history.what'),
      cell: (happening) => historyText(t, happening, { ...names, isPartners: booking.Channel === 'partner' }),
    },
  ],
  booking.History,
)}
<h2>${t.say('booking.emails')}</h2>
${booking.Emails.length > 0 ? emails(t, booking, timeZone) : html`<p class="hint">${t.say('booking.emails.none')}</p>`}
</section>`
}

function emails(t: Texts, { Emails }: BookingDetail, timeZone: string): Markup {
  return table(
    t.say('booking.emails.list'),
    [
      {
        head: t.say('booking.emails.kind'),
        cell: ({ Kind, Workflow }) => Workflow ?? emailKindName(t, Kind),
      },
      { head: t.say('word.status'), cell: ({ Status }) => emailStatusBadge(t, Status) },
      { head: t.say('booking.emails.made'), cell: ({ CreatedAt }) => t.moment(CreatedAt, timeZone) },
      {
        head: t.say('booking.emails.sent'),
        cell: ({ SentAt }) => (SentAt ? t.moment(SentAt, timeZone) : '–'),
      },
    ],
    Emails,
  )
}
