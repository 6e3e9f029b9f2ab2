/** The valid calendar links, and the form that makes one. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { daysAhead, daysBack, maxDepartures, maxFeeds } from '../../sales/calendar-feed/model.ts'
import type { FeedRow } from '../../sales/calendar-feed/service.ts'
import { checkboxField, fieldOf, type ShownForm, selectField } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

export function feedLabels(t: Texts): Map<string, string> {
  return new Map([
    ['ProductID', t.say('calendar.feeds.departures')],
    ['ShowsNames', t.say('calendar.feeds.shows-names')],
  ])
}

type ShownFeeds = { feeds: readonly FeedRow[]; products: readonly { id: number; name: string }[] }

export function feedsPage(
  session: Session,
  t: Texts,
  { feeds, products }: ShownFeeds,
  shown: ShownForm,
): Markup {
  const choices = [
    { value: '', label: t.say('calendar.feeds.of-all') },
    ...products.map(({ id, name }) => ({
      value: id,
      label: t.say('calendar.feeds.of-one', { product: name }),
    })),
  ]
  const form = postForm(
    session,
    '/dashboard/calendar/feeds',
    html`${faultSummary(shown.faults)}
${selectField(fieldOf(shown, t.say('calendar.feeds.departures'), 'ProductID'), choices)}
${checkboxField(fieldOf(shown, t.say('calendar.feeds.shows-names-only'), 'ShowsNames'))}
<button>${t.say('calendar.feeds.make')}</button>`,
  )
  // Owners see the links of all users, but the limit is for each user.
  const own = feeds.filter(({ userEmail }) => userEmail === session.user.email)
  const limits = { back: daysBack, ahead: daysAhead, most: maxDepartures }
  return html`<p class="no-print"><a href="/dashboard/calendar">${t.say('calendar.title')}</a></p>
<p>${t.say('calendar.feeds.about', limits)}</p>
${feeds.length > 0 ? feedTable(session, feeds, t) : emptyState(t.say('calendar.feeds.none'))}
<h2>${t.say('calendar.feeds.new')}</h2>
${own.length < maxFeeds ? form : html`${faultSummary(shown.faults)}<p class="hint">${t.say('calendar.feeds.most', { count: maxFeeds })}</p>`}`
}

function feedTable(session: Session, feeds: readonly FeedRow[], t: Texts): Markup {
  const { timeZone } = session.user
  return table<FeedRow>(
    t.say('calendar.feeds.caption'),
    [
      {
        head: t.say('calendar.feeds.departures'),
        cell: ({ productName }) => productName ?? t.say('calendar.feeds.all-booked'),
      },
      {
        head: t.say('calendar.feeds.names'),
        cell: ({ showsNames }) =>
          t.say(showsNames ? 'calendar.feeds.names-shown' : 'calendar.feeds.names-hidden'),
      },
      { head: t.say('calendar.feeds.user'), cell: ({ userEmail }) => userEmail },
      { head: t.say('calendar.feeds.made-at'), cell: ({ createdAt }) => t.moment(createdAt, timeZone) },
      {
        head: t.say('calendar.feeds.last-used'),
        cell: ({ lastUsedAt }) => (lastUsedAt ? t.moment(lastUsedAt, timeZone) : t.say('word.never')),
      },
      { head: t.say('calendar.feeds.end'), cell: (feed) => revokeForm(session, t, feed) },
    ],
    feeds,
  )
}

function revokeForm(session: Session, t: Texts, { id, productName }: FeedRow): Markup {
  const [label, question] =
    productName === null
      ? [t.say('calendar.feeds.revoke-all'), t.say('calendar.feeds.revoke-all.question')]
      : [
          t.say('calendar.feeds.revoke-one', { product: productName }),
          t.say('calendar.feeds.revoke-one.question', { product: productName }),
        ]
  const button = html`<button class="danger" aria-label="${label}">${t.say('calendar.feeds.revoke')}</button>`
  return postForm(session, `/dashboard/calendar/feeds/${id}/revoke`, button, {
    class: 'inline',
    question,
  })
}
