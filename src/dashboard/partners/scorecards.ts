/** Scorecards: how partners' calls were answered, beside what OTAs expect. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { problemTypes } from '../../http/problem-types.ts'
import type { Texts } from '../../languages/texts.ts'
import type { OperationScore, Times } from '../../reports/scorecards/model.ts'
import type { Scorecard } from '../../reports/scorecards/service.ts'
import { attributes } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'

const periods = [
  { days: 1, label: 'Today' },
  { days: 7, label: 'Last 7 days' },
  { days: 30, label: 'Last 30 days' },
]

/** The published expectations of OTAs. A call of our API is both of theirs: it reserves the places and books them. */
const targets = [
  { who: 'Viator', what: 'reserve within 1 s in 90 of 100 calls', met: ({ p90 }: Times) => p90 <= 1000 },
  { who: 'GetYourGuide', what: 'reserve within 1 s', met: ({ p95 }: Times) => p95 <= 1000 },
  { who: 'GetYourGuide', what: 'book within 2 s', met: ({ p95 }: Times) => p95 <= 2000 },
]

export function scorecardSection(cards: readonly Scorecard[], days: number, t: Texts): Markup {
  const links = periods.map(({ days: count, label }) => {
    const here = count === days ? 'true' : undefined
    return html`<li><a${attributes({ href: `/dashboard/partners?days=${count}`, 'aria-current': here })}>${label}</a></li>`
  })
  return html`<h2>How calls are answered</h2>
<ul class="choices">${links}</ul>
${cards.length > 0 ? scorecards(cards, t) : emptyState('There is no partner yet. Make the first one a key below.')}
<p class="hint">Times are those of booking calls that were decided (booked, told again, refused for want of places, or failed), rounded up. Figures are gathered in memory and kept a few seconds later: a process that dies loses the last of them.</p>
<ul class="hint">${targets.map(({ who, what }) => html`<li>${who} asks: ${what}.</li>`)}</ul>`
}

function scorecards(cards: readonly Scorecard[], t: Texts): Markup {
  return table<Scorecard>(
    'Scorecard of each partner',
    [
      { head: 'Partner', cell: partnerCell },
      { head: 'Booked', numeric: true, cell: ({ book }) => t.number(book.done) },
      { head: 'Repeated', numeric: true, cell: ({ book }) => t.number(book.replayed) },
      { head: 'Cancelled', numeric: true, cell: ({ cancel }) => t.number(cancel.done) },
      { head: 'Refused', cell: ({ book, cancel }) => refusals([book, cancel], t) },
      { head: '90 % within', numeric: true, cell: ({ book }) => duration(book.times?.p90, t) },
      {
        head: '95 % within',
        numeric: true,
        cell: ({ book }) => duration(book.times?.p95, t),
      },
      { head: 'Within 1 s', numeric: true, cell: ({ book }) => share(book.times?.withinOneSecond, t) },
      { head: 'Within 2 s', numeric: true, cell: ({ book }) => share(book.times?.withinTwoSeconds, t) },
      { head: 'Expectations', cell: ({ book }) => expectations(book) },
    ],
    cards,
  )
}

function partnerCell({ id, name }: Scorecard): Markup {
  return id === null
    ? html`<em>Keys without a partner</em>`
    : html`<a href="/dashboard/partners/${id}">${name ?? ''}</a>`
}

function refusals(scores: OperationScore[], t: Texts): Markup {
  const items = scores.flatMap(({ operation, refusals }) =>
    refusals.map(({ slug, calls }) => {
      // A slug that a newer version counted may be unknown to this one.
      const title = problemTypes[slug]?.title ?? slug
      return html`<li>${t.number(calls)} × ${title}${operation === 'cancel' ? ' (cancelling)' : ''}</li>`
    }),
  )
  return items.length > 0 ? html`<ul class="plain">${items}</ul>` : html`None`
}

function duration(milliseconds: number | undefined, t: Texts): string {
  if (milliseconds === undefined) return '–'
  if (milliseconds > 10_000) return `over ${t.number(10)} s`
  return milliseconds < 1000 ? `${t.number(milliseconds)} ms` : `${t.number(milliseconds / 1000)} s`
}

function share(of: number | undefined, t: Texts): string {
  // Rounded down, so that 100 % means all of them.
  return of === undefined ? '–' : `${t.number(Math.floor(of * 1000) / 10)} %`
}

function expectations({ times }: OperationScore): Markup {
  if (!times) return html`No calls`
  const missed = targets.filter(({ met }) => !met(times))
  if (missed.length === 0) return badge('All met', 'good')
  return html`<ul class="plain">${missed.map(({ who, what }) => html`<li>${badge('Missed', 'bad')} ${who}: ${what}</li>`)}</ul>`
}
