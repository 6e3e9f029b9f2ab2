/** The figures of a report in one currency, each beside that of the range before, and what they mean. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  changeOf,
  incomeOf,
  type ReportRange,
  refundsDueOf,
  revenueOf,
  type SalesFigures,
} from '../../reports/sales/report/model.ts'
import type { CurrencyFigures, Places, SalesReport } from '../../reports/sales/report/service.ts'
import * as words from './words.ts'

type Figure = { label: TextKey; read: (figures: SalesFigures) => number | bigint }

const sales: Figure[] = [
  { label: 'report.revenue', read: revenueOf },
  { label: 'report.bookings-sold', read: ({ bookings }) => bookings },
  { label: 'report.sold', read: ({ sold }) => sold },
  { label: 'report.guests', read: guestsOf },
]

const cancellations: Figure[] = [
  { label: 'report.cancelled-bookings', read: ({ cancelledBookings }) => cancelledBookings },
  { label: 'report.cancelled-amount', read: ({ cancelled }) => cancelled },
  { label: 'payments.kept', read: ({ kept }) => kept },
  { label: 'report.income', read: incomeOf },
  { label: 'report.decided', read: ({ decided }) => decided },
  { label: 'report.paid-back', read: ({ paidBack }) => paidBack },
  { label: 'payments.still-back', read: refundsDueOf },
]

const comings: Figure[] = [
  { label: 'report.checked-in', read: ({ checkedInGuests }) => checkedInGuests },
  { label: 'report.no-shows', read: ({ noShowGuests }) => noShowGuests },
]

const ofPartners: Figure[] = [
  { label: 'report.owed', read: ({ owed }) => owed },
  { label: 'report.commission', read: ({ commission }) => commission },
]

/** Guests of the bookings that stand. */
export function guestsOf({ guests, cancelledGuests }: SalesFigures): number {
  return guests - cancelledGuests
}

/** Headings with the figures below them; of the parts after the first, those without any figure are left out. */
export function figuresSection(
  t: Texts,
  { before, places }: Pick<SalesReport, 'before' | 'places'>,
  total: CurrencyFigures,
): Markup {
  const wasNothing = Object.values(total.before).every((value) => Number(value) === 0)
  const compared = wasNothing ? null : before
  const facts = (figures: readonly Figure[]) => figures.map((figure) => fact(t, compared, figure, total))
  const part = (title: string, figures: readonly Figure[]) => {
    const isZero = ({ read }: Figure) => !Number(read(total.now)) && !Number(read(total.before))
    // Income is there without any of what this part is about.
    const isEmpty = figures.every((figure) => figure.read === incomeOf || isZero(figure))
    return isEmpty ? html`` : html`<h3>${title}</h3><dl class="facts">${facts(figures)}</dl>`
  }
  const share = ({ booked, capacity }: Places) => words.shareWords(t, booked, capacity)
  const occupancy = places
    ? html`<div><dt>${t.say('report.occupancy')}</dt><dd>${share(places.now)} <span class="hint">${t.say('report.versus', { before: words.beforeWords(t, before), value: share(places.before) })}</span></dd></div>`
    : ''
  const nothing = wasNothing
    ? html`<p class="hint">${t.say('report.nothing-before', { before: words.beforeWords(t, before) })}</p>`
    : ''
  return html`<h3>${t.say('report.sales')}</h3>${nothing}<dl class="facts">${facts(sales)}${occupancy}</dl>
${part(t.say('report.cancellations'), cancellations)}
${part(t.say('report.guests'), comings)}
${partners(t, compared, total)}
${meanings(t)}`
}

function partners(t: Texts, before: ReportRange | null, total: CurrencyFigures): Markup {
  const { owed, commission, withoutTerms } = total.now
  const isKnown = [total.now, total.before].some((figures) => figures.owed + figures.commission > 0n)
  if (!isKnown && withoutTerms === 0n) return html``
  const unknown =
    withoutTerms > 0n
      ? html`<div><dt>${t.say('report.without-terms')}</dt><dd>${t.amount(Number(withoutTerms), total.currency)} <span class="hint">${t.say('report.without-terms.about')}</span></dd></div>`
      : ''
  const figures = owed + commission > 0n || withoutTerms === 0n ? ofPartners : []
  return html`<h3>${t.say('report.partners')}</h3><dl class="facts">${figures.map((figure) => fact(t, before, figure, total))}${unknown}</dl>`
}

/** @param range before, to compare with; null if nothing was sold then. */
function fact(
  t: Texts,
  range: ReportRange | null,
  { label, read }: Figure,
  { currency, now, before }: CurrencyFigures,
): Markup {
  const write = (value: number | bigint) =>
    typeof value === 'bigint' ? t.amount(Number(value), currency) : t.number(value)
  const change = changeOf(read(now), read(before))
  const changed = change === null ? '' : ` (${words.changeWords(t, change)})`
  const beside = range
    ? html` <span class="hint">${t.say('report.versus', { before: words.beforeWords(t, range), value: `${write(read(before))}${changed}` })}</span>`
    : ''
  return html`<div><dt>${t.say(label)}</dt><dd>${write(read(now))}${beside}</dd></div>`
}

const explained: readonly (readonly [label: TextKey, meaning: TextKey])[] = [
  ['report.sold', 'report.meaning.sold'],
  ['report.cancelled-amount', 'report.meaning.cancelled'],
  ['report.revenue', 'report.meaning.revenue'],
  ['payments.kept', 'report.meaning.kept'],
  ['report.decided', 'report.meaning.decided'],
  ['report.owed', 'report.meaning.owed'],
]

function meanings(t: Texts): Markup {
  return html`<details class="no-print"><summary>${t.say('report.meaning')}</summary>
<dl>
${explained.map(([label, meaning]) => html`<dt>${t.say(label)}</dt><dd>${t.say(meaning)}</dd>\n`)}</dl>
</details>`
}
