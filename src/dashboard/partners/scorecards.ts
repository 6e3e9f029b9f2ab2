/** Scorecards: the responses to partners' requests, compared with what OTAs expect. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { problemTypes } from '../../http/problem-types.ts'
import type { Texts } from '../../languages/texts.ts'
import type { OperationScore, Times } from '../../reports/scorecards/model.ts'
import type { Scorecard } from '../../reports/scorecards/service.ts'
import { attributes } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'

const periods = [1, 7, 30] as const

/**
 * The published expectations of OTAs; times are in milliseconds. OTAs expect two requests: one that reserves
 * places, and one that books them. Our OTA API does both in one request, so the time of this request is
 * compared with both limits. For OCTO, only the time of the request that reserves is measured.
 */
const targets = [
  { who: 'Viator', what: 'reserve-most', met: ({ p90 }: Times) => p90 <= 1000 },
  { who: 'GetYourGuide', what: 'reserve', met: ({ p95 }: Times) => p95 <= 1000 },
  { who: 'GetYourGuide', what: 'book', met: ({ p95 }: Times) => p95 <= 2000 },
] as const

export function scorecardSection(cards: readonly Scorecard[], days: number, t: Texts): Markup {
  const links = periods.map((count) => {
    const here = count === days ? 'true' : undefined
    return html`<li><a${attributes({ href: `/dashboard/partners?days=${count}#calls`, 'aria-current': here })}>${t.say(`scorecard.days.${count}`)}</a></li>`
  })
  return html`<section class="calls"><h2 id="calls">${t.say('scorecard.title')}</h2>
<ul class="choices">${links}</ul>
${cards.length > 0 ? scorecards(cards, t) : emptyState(t.say('scorecard.no-calls'))}
<p class="hint">${t.say('scorecard.about')}</p>
<ul class="hint">${targets.map(({ who, what }) => html`<li>${t.say('scorecard.target', { who, what: t.say(`scorecard.asks.${what}`) })}</li>`)}</ul></section>`
}

function scorecards(cards: readonly Scorecard[], t: Texts): Markup {
  return table<Scorecard>(
    t.say('scorecard.list'),
    [
      { head: t.say('partners.partner'), cell: (card) => partnerCell(t, card), onCard: 'title' },
      {
        head: t.say('scorecard.booked'),
        numeric: true,
        cell: ({ book }) => t.number(book.done),
        onCard: 'headed',
      },
      {
        head: t.say('scorecard.repeated'),
        numeric: true,
        cell: ({ book }) => t.number(book.replayed),
        onCard: 'headed',
      },
      {
        head: t.say('scorecard.cancelled'),
        numeric: true,
        cell: ({ cancel }) => t.number(cancel.done),
        onCard: 'headed',
      },
      {
        head: t.say('scorecard.refused'),
        cell: ({ book, cancel }) => refusals([book, cancel], t),
        onCard: 'headed',
      },
      {
        head: t.say('scorecard.within-share', { share: 90 }),
        numeric: true,
        cell: ({ book }) => duration(book.times?.p90, t),
        onCard: 'headed',
      },
      {
        head: t.say('scorecard.within-share', { share: 95 }),
        numeric: true,
        cell: ({ book }) => duration(book.times?.p95, t),
        onCard: 'headed',
      },
      {
        head: t.say('scorecard.within', { count: 1 }),
        numeric: true,
        cell: ({ book }) => share(book.times?.withinOneSecond, t),
        onCard: 'headed',
      },
      {
        head: t.say('scorecard.within', { count: 2 }),
        numeric: true,
        cell: ({ book }) => share(book.times?.withinTwoSeconds, t),
        onCard: 'headed',
      },
      { head: t.say('scorecard.expectations'), cell: ({ book }) => expectations(t, book), onCard: 'headed' },
    ],
    cards,
  )
}

function partnerCell(t: Texts, { id, name }: Scorecard): Markup {
  return id === null
    ? html`<em>${t.say('webhooks.owner.no-partner')}</em>`
    : html`<a href="/dashboard/partners/${id}">${name ?? ''}</a>`
}

function refusals(scores: OperationScore[], t: Texts): Markup {
  const items = scores.flatMap(({ operation, refusals }) =>
    refusals.map(({ slug, calls }) => {
      // A newer version of the service may have stored a slug that this version does not know.
      const title = problemTypes[slug]?.title ?? slug
      const refusal = { count: t.number(calls), title }
      return html`<li>${t.say(operation === 'cancel' ? 'scorecard.refusal.cancel' : 'scorecard.refusal', refusal)}</li>`
    }),
  )
  return items.length > 0 ? html`<ul class="plain">${items}</ul>` : html`${t.say('scorecard.no-refusals')}`
}

function duration(milliseconds: number | undefined, t: Texts): string {
  if (milliseconds === undefined) return '–'
  if (milliseconds > 10_000) return t.say('scorecard.over', { count: t.number(10) })
  return milliseconds < 1000 ? `${t.number(milliseconds)} ms` : `${t.number(milliseconds / 1000)} s`
}

function share(of: number | undefined, t: Texts): string {
  // Rounded down, so that 100 % means every request.
  return of === undefined ? '–' : `${t.number(Math.floor(of * 1000) / 10)} %`
}

function expectations(t: Texts, { times }: OperationScore): Markup {
  if (!times) return html`${t.say('scorecard.no-calls')}`
  const missed = targets.filter(({ met }) => !met(times))
  if (missed.length === 0) return badge(t.say('scorecard.met'), 'good')
  return html`<ul class="plain">${missed.map(({ who, what }) => html`<li>${badge(t.say('scorecard.missed'), 'bad')} ${who}: ${t.say(`scorecard.asks.${what}`)}</li>`)}</ul>`
}
