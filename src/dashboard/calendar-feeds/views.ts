/** The valid calendar links, and the form that makes one. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { daysAhead, daysBack, mostDepartures } from '../../sales/calendar-feed/model.ts'
import type { FeedRow } from '../../sales/calendar-feed/service.ts'
import {
  checkboxField,
  faultSummary,
  fieldOf,
  postForm,
  type ShownForm,
  selectField,
} from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

export const labels = new Map([
  ['ProductID', 'Departures'],
  ['ShowsNames', 'Show the names of customers'],
])

type ShownFeeds = { feeds: readonly FeedRow[]; products: readonly { id: number; name: string }[] }

export function feedsPage(
  session: Session,
  t: Texts,
  { feeds, products }: ShownFeeds,
  shown: ShownForm,
): Markup {
  const choices = [
    { value: '', label: 'Of all products, if somebody has booked' },
    ...products.map(({ id, name }) => ({ value: id, label: `${name}: all, also empty ones` })),
  ]
  const names = 'Show the names of customers; phone numbers and e-mail addresses are never shown'
  return html`<p class="no-print"><a href="/dashboard/calendar">Calendar</a></p>
<p>A calendar program on a phone or a computer shows your departures by a secret link: the last ${daysBack} days and the next ${daysAhead}, at most ${t.number(mostDepartures)} departures, with the places booked. Everybody who has the link can read it, without signing in, until it is revoked.</p>
${feeds.length > 0 ? feedTable(session, feeds, t) : emptyState('There is no calendar link yet.')}
<h2>New calendar link</h2>
${postForm(
  session,
  '/dashboard/calendar/feeds',
  html`${faultSummary(shown.faults)}
${selectField(fieldOf(shown, 'Departures', 'ProductID'), choices)}
${checkboxField(fieldOf(shown, names, 'ShowsNames'))}
<button>Make a calendar link</button>`,
)}`
}

function feedTable(session: Session, feeds: readonly FeedRow[], t: Texts): Markup {
  const { timeZone } = session.user
  return table<FeedRow>(
    'Calendar links, newest first',
    [
      { head: 'Departures', cell: ({ productName }) => productName ?? 'All products, if booked' },
      { head: 'Names', cell: ({ showsNames }) => (showsNames ? 'shown' : 'not shown') },
      { head: 'User', cell: ({ userEmail }) => userEmail },
      { head: 'Made', cell: ({ createdAt }) => t.moment(createdAt, timeZone) },
      {
        head: 'Last used',
        cell: ({ lastUsedAt }) => (lastUsedAt ? t.moment(lastUsedAt, timeZone) : 'Never'),
      },
      { head: 'End it', cell: (feed) => revokeForm(session, feed) },
    ],
    feeds,
  )
}

function revokeForm(session: Session, { id, productName }: FeedRow): Markup {
  const about = productName ?? 'all products'
  const button = html`<button class="danger" aria-label="Revoke the link of ${about}">Revoke</button>`
  return postForm(session, `/dashboard/calendar/feeds/${id}/revoke`, button, {
    class: 'inline',
    question: `Revoke the calendar link of ${about}? Calendars that use it get nothing more.`,
  })
}
