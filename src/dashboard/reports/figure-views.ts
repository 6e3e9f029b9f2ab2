/** The figures of a report in one currency, each beside that of the range before, and what they mean. Pure. */
import { html, type Markup } from '../../http/pages.ts'
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

type Figure = { label: string; read: (figures: SalesFigures) => number | bigint }

const sales: Figure[] = [
  { label: 'Revenue', read: revenueOf },
  { label: 'Bookings sold', read: ({ bookings }) => bookings },
  { label: 'Sold', read: ({ sold }) => sold },
  { label: 'Guests', read: guestsOf },
]

const cancellations: Figure[] = [
  { label: 'Cancelled bookings', read: ({ cancelledBookings }) => cancelledBookings },
  { label: 'Cancelled', read: ({ cancelled }) => cancelled },
  { label: 'Kept of cancelled, moved and changed bookings', read: ({ kept }) => kept },
  { label: 'Revenue and what is kept', read: incomeOf },
  { label: 'Refunds decided', read: ({ decided }) => decided },
  { label: 'Paid back', read: ({ paidBack }) => paidBack },
  { label: 'Still to be paid back', read: refundsDueOf },
]

const comings: Figure[] = [
  { label: 'Guests checked in', read: ({ checkedInGuests }) => checkedInGuests },
  { label: 'Guests who did not come', read: ({ noShowGuests }) => noShowGuests },
]

const ofPartners: Figure[] = [
  { label: 'Owed by partners', read: ({ owed }) => owed },
  { label: 'Commission of partners', read: ({ commission }) => commission },
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
  const facts = (figures: readonly Figure[]) => figures.map((figure) => fact(t, before, figure, total))
  const part = (title: string, figures: readonly Figure[]) => {
    const isZero = ({ read }: Figure) => !Number(read(total.now)) && !Number(read(total.before))
    // Income is there without any of what this part is about.
    const isEmpty = figures.every((figure) => figure.read === incomeOf || isZero(figure))
    return isEmpty ? html`` : html`<h3>${title}</h3><dl class="facts">${facts(figures)}</dl>`
  }
  const share = ({ booked, capacity }: Places) => words.shareWords(t, booked, capacity)
  const occupancy = places
    ? html`<div><dt>Occupancy</dt><dd>${share(places.now)} <span class="hint">${words.beforeWords(t, before)}: ${share(places.before)}</span></dd></div>`
    : ''
  return html`<h3>Sales</h3><dl class="facts">${facts(sales)}${occupancy}</dl>
${part('Cancelled and paid back', cancellations)}
${part('Guests', comings)}
${partners(t, before, total)}
${meanings}`
}

function partners(t: Texts, before: ReportRange, total: CurrencyFigures): Markup {
  const { owed, commission, withoutTerms } = total.now
  const isKnown = [total.now, total.before].some((figures) => figures.owed + figures.commission > 0n)
  if (!isKnown && withoutTerms === 0n) return html``
  const unknown =
    withoutTerms > 0n
      ? html`<div><dt>Sold by partners without terms</dt><dd>${t.amount(Number(withoutTerms), total.currency)} <span class="hint">What they owe for it is not known.</span></dd></div>`
      : ''
  const figures = owed + commission > 0n || withoutTerms === 0n ? ofPartners : []
  return html`<h3>Partners</h3><dl class="facts">${figures.map((figure) => fact(t, before, figure, total))}${unknown}</dl>`
}

function fact(
  t: Texts,
  range: ReportRange,
  { label, read }: Figure,
  { currency, now, before }: CurrencyFigures,
): Markup {
  const write = (value: number | bigint) =>
    typeof value === 'bigint' ? t.amount(Number(value), currency) : t.number(value)
  const change = changeOf(read(now), read(before))
  const changed = change === null ? '' : ` (${words.changeWords(t, change)})`
  return html`<div><dt>${label}</dt><dd>${write(read(now))} <span class="hint">${words.beforeWords(t, range)}: ${write(read(before))}${changed}</span></dd></div>`
}

const meanings = html`<details class="no-print"><summary>What the figures mean</summary>
<dl>
<dt>Sold</dt><dd>The price of all bookings of these days as it is now, also of those that were cancelled.</dd>
<dt>Cancelled</dt><dd>The price of those that were cancelled since.</dd>
<dt>Revenue</dt><dd>Sold, less cancelled: the price of the bookings that stand.</dd>
<dt>Kept of cancelled, moved and changed bookings</dt><dd>Money of customers that you decided not to pay back when a booking was cancelled, or was moved or changed and became cheaper.</dd>
<dt>Refunds decided</dt><dd>What you decided to pay back of these bookings, whenever you did. What was paid back of it, and what is still to be paid back, add up to it.</dd>
<dt>Owed by partners</dt><dd>The price of their bookings that stand, less their commission, or their net prices. Bookings that were sold before terms were agreed are counted apart.</dd>
</dl>
</details>`
