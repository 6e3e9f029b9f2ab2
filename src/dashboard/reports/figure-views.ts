/** The figures of a report in one currency, each with the figure of the earlier range, and their explanations. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  changeOf,
  incomeOf,
  isOwedUnknown,
  type ReportRange,
  refundsDueOf,
  revenueOf,
  type SalesFigures,
} from '../../reports/sales/report/model.ts'
import type { CurrencyFigures, Places, SalesReport } from '../../reports/sales/report/service.ts'
import { attributes } from '../frame/forms.ts'
import * as words from './words.ts'

type Figure = {
  label: TextKey
  read: (figures: SalesFigures) => number | bigint
  sign?: '+' | '−' | '='
  /** Whether the figure is known. If left out, the figure is always known. */
  isKnown?: (figures: SalesFigures) => boolean
}

const revenue: Figure = { label: 'report.revenue', read: revenueOf }
const guests: Figure = { label: 'report.guests', read: guestsOf }
const bookings: Figure = { label: 'report.bookings-sold', read: ({ bookings }) => bookings }
const sold: Figure = { label: 'report.sold', read: ({ sold }) => sold }

/**
 * How revenue and income are computed. `+` adds a line to the lines above it, `−` subtracts it, and `=` is the result.
 */
const sales: Figure[] = [
  sold,
  { label: 'report.cancelled-amount', read: ({ cancelled }) => cancelled, sign: '−' },
  { ...revenue, sign: '=' },
  { label: 'payments.kept', read: ({ kept }) => kept, sign: '+' },
  { label: 'report.income', read: incomeOf, sign: '=' },
]

const cancellations: Figure[] = [
  { label: 'report.cancelled-bookings', read: ({ cancelledBookings }) => cancelledBookings },
  { label: 'report.decided', read: ({ decided }) => decided },
  { label: 'report.paid-back', read: ({ paidBack }) => paidBack, sign: '−' },
  { label: 'payments.still-back', read: refundsDueOf, sign: '=' },
]

const noShow: Figure = { label: 'report.no-shows', read: ({ noShowGuests }) => noShowGuests }

const attendance: Figure[] = [
  { label: 'report.checked-in', read: ({ checkedInGuests }) => checkedInGuests },
  noShow,
]

const ofPartners: Figure[] = [
  { label: 'report.owed', read: ({ owed }) => owed, isKnown: isOwedKnown },
  { label: 'report.commission', read: ({ commission }) => commission, isKnown: isOwedKnown },
]

function isOwedKnown(figures: SalesFigures): boolean {
  return !isOwedUnknown(figures)
}

/** The guests of bookings that are not cancelled. */
export function guestsOf({ guests, cancelledGuests }: SalesFigures): number {
  return guests - cancelledGuests
}

/** The earlier range to compare with; null if all its figures are 0. */
function comparedRange(before: ReportRange, total: CurrencyFigures): ReportRange | null {
  return Object.values(total.before).every((value) => Number(value) === 0) ? null : before
}

/**
 * Four main figures, each with the figure of the earlier range. The fourth is the occupancy, or the sold
 * amount if the report has no occupancy. A report has an occupancy only if it counts by the day of the
 * activity, and not by the day of the sale, and if it is not filtered by channel or partner.
 */
export function mainFigures(
  t: Texts,
  { before, places }: Pick<SalesReport, 'before' | 'places'>,
  total: CurrencyFigures,
): Markup {
  const compared = comparedRange(before, total)
  const share = ({ booked, capacity }: Places) => words.shareWords(t, booked, capacity)
  const occupancy = places
    ? html`<div><dt>${t.say('report.occupancy')}</dt><dd>${share(places.now)} <span class="hint">${t.say('report.versus', { before: words.beforeWords(t, before), value: share(places.before) })}</span></dd></div>`
    : fact(t, compared, sold, total)
  const nothing = compared
    ? ''
    : html`<p class="hint">${t.say('report.nothing-before', { before: words.beforeWords(t, before) })}</p>`
  return html`<dl class="facts main-facts">${[revenue, guests, bookings].map((figure) => fact(t, compared, figure, total))}${occupancy}</dl>${nothing}`
}

/**
 * All figures, line by line, so that the user sees how revenue and income are computed. Parts whose figures
 * are all 0 are left out. `noShows` is the address of the list of bookings with no-shows.
 */
export function allFigures(
  t: Texts,
  { before }: Pick<SalesReport, 'before'>,
  { total, noShows }: { total: CurrencyFigures; noShows: string },
): Markup {
  const compared = comparedRange(before, total)
  const isZero = ({ read }: Figure) => !Number(read(total.now)) && !Number(read(total.before))
  const part = (title: TextKey, figures: readonly Figure[], more = html``) =>
    figures.every(isZero) && more.text === ''
      ? html``
      : html`<tbody><tr><th colspan="${compared ? 3 : 2}" scope="rowgroup">${t.say(title)}</th></tr>
${figures.map((figure) => line(t, compared, figure, { total, noShows }))}${more}</tbody>`
  const head = compared
    ? html`<thead><tr><td></td><th scope="col">${t.say('report.these-days')}</th><th scope="col">${words.beforeWords(t, compared)}</th></tr></thead>`
    : ''
  const { now, before: earlier } = total
  const hasOwed = isOwedKnown(now) || earlier.owed !== 0n || earlier.commission !== 0n
  return html`<section><h2>${t.say('report.all-figures', { currency: total.currency })}</h2>
<table class="sums">${head}
${part('report.sales', sales)}
${part('report.cancellations', cancellations)}
${part('report.guests', attendance)}
${part('report.partners', hasOwed ? ofPartners : [], withoutTermsLine(t, compared, total))}</table>
${meanings(t)}</section>`
}

function withoutTermsLine(
  t: Texts,
  compared: ReportRange | null,
  { now, currency }: CurrencyFigures,
): Markup {
  if (now.withoutTerms === 0n) return html``
  return html`<tr><th scope="row">${t.say('report.without-terms')}</th><td>${t.amount(Number(now.withoutTerms), currency)} <span class="hint">${t.say('report.without-terms.about')}</span></td>${compared ? html`<td></td>` : ''}</tr>`
}

function line(
  t: Texts,
  compared: ReportRange | null,
  figure: Figure,
  { total, noShows }: { total: CurrencyFigures; noShows: string },
): Markup {
  const { now, before } = written(t, figure, total)
  const label = t.say(figure.label)
  const isLink = figure === noShow && total.now.noShowGuests > 0
  const sign = figure.sign ? html`<span class="sign" aria-hidden="true">${figure.sign}</span> ` : ''
  return html`<tr${attributes({ class: figure.sign === '=' ? 'sum' : undefined })}><th scope="row">${sign}${isLink ? html`<a href="${noShows}">${label}</a>` : label}</th><td>${now}</td>${compared ? html`<td>${before}</td>` : ''}</tr>
`
}

/** The figure of the range as text, and the figure of the earlier range with the change in percent. */
function written(
  t: Texts,
  { read, isKnown = () => true }: Figure,
  { currency, now, before }: CurrencyFigures,
) {
  const write = (figures: SalesFigures) => {
    if (!isKnown(figures)) return t.say('report.not-known')
    const value = read(figures)
    return typeof value === 'bigint' ? t.amount(Number(value), currency) : t.number(value)
  }
  const change = isKnown(now) && isKnown(before) ? changeOf(read(now), read(before)) : null
  const changed = change === null ? '' : ` (${words.changeWords(t, change)})`
  return { now: write(now), before: `${write(before)}${changed}` }
}

/** @param range the earlier range to compare with; null if all its figures are 0. */
function fact(t: Texts, range: ReportRange | null, figure: Figure, total: CurrencyFigures): Markup {
  const { now, before } = written(t, figure, total)
  const beside = range
    ? html` <span class="hint">${t.say('report.versus', { before: words.beforeWords(t, range), value: before })}</span>`
    : ''
  return html`<div><dt>${t.say(figure.label)}</dt><dd>${now}${beside}</dd></div>`
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
