/** The figures and the table of timeslots of a closure, before and after it is made. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { type RefundSum, type TimeslotClosure, totalsOf } from '../../sales/closure/model.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import { dayAndTime } from '../parts/slot-words.ts'

export function totals(results: TimeslotClosure[], t: Texts): Markup {
  const sums = totalsOf(results)
  const always: [string, number][] = [
    [t.say('calendar.closure.sum.closed'), sums.closed],
    [t.say('calendar.closure.sum.emailed'), sums.emailed],
  ]
  const ifAny: [string, number][] = [
    [t.say('calendar.closure.sum.untold'), sums.untold],
    [t.say('calendar.closure.sum.cancelled'), sums.cancelled],
    [t.say('calendar.closure.sum.moved'), sums.moved],
    [t.say('calendar.closure.sum.released'), sums.released],
    [t.say('calendar.closure.sum.waitlist'), sums.waitlistEnded],
    [t.say('calendar.closure.sum.left'), sums.left],
    [t.say('calendar.closure.sum.before'), sums.alreadyClosed],
  ]
  const counts = [...always, ...ifAny.filter(([, sum]) => sum > 0)]
  const rows = [
    ...counts.map(([term, sum]) => [term, t.number(sum)]),
    ...sums.refunds.map((sum) => [t.say('receipt.to-pay-back'), refundText(sum, t)]),
    ...sums.partnerRefunds.map((sum) => [t.say('calendar.closure.sum.partners'), refundText(sum, t)]),
  ]
  return html`<dl class="totals">${rows.map(([term, sum]) => html`<div><dt>${term!}</dt><dd>${sum!}</dd></div>`)}</dl>`
}

function refundText({ minor, currency }: RefundSum, t: Texts): string {
  return t.amount(Number(minor), currency)
}

export function timeslotTable(
  caption: string,
  { products, t }: { products: readonly { id: number; name: string }[]; t: Texts },
  results: readonly TimeslotClosure[],
): Markup {
  if (results.length === 0) return emptyState(t.say('calendar.closure.none'))
  const names = new Map(products.map(({ id, name }) => [id, name]))
  return table(
    caption,
    [
      {
        head: t.say('word.timeslot'),
        cell: (slot) =>
          html`<a href="/dashboard/calendar/timeslots/${slot.timeslotId}">${dayAndTime(t, slot)}</a>`,
      },
      { head: t.say('word.product'), cell: ({ productId }) => names.get(productId) ?? '' },
      { head: t.say('calendar.closure.outcome'), cell: (result) => outcomeOf(result, t) },
      { head: t.say('receipt.cancelled'), cell: ({ cancelled }) => t.number(cancelled), numeric: true },
      { head: t.say('calendar.closure.moved'), cell: ({ moved }) => t.number(moved), numeric: true },
      { head: t.say('calendar.closure.emails'), cell: ({ emailed }) => t.number(emailed), numeric: true },
    ],
    results.toSorted((one, other) => Number(needsAttention(other)) - Number(needsAttention(one))),
  )
}

/**
 * Whether the closure leaves the timeslot unchanged (`left`), or affects its bookings or waitlist entries. Such
 * timeslots are listed first.
 */
export function needsAttention({
  result,
  cancelled,
  moved,
  emailed,
  released,
  waitlistEnded,
}: TimeslotClosure): boolean {
  return result === 'left' || cancelled + moved + emailed + released + waitlistEnded > 0
}

function outcomeOf({ result, reason, available, movedTo }: TimeslotClosure, t: Texts): Markup {
  if (result === 'already-closed') return html`${badge(t.say('calendar.closure.closed-before'))}`
  if (result === 'closed')
    return html`${badge(t.say('calendar.closure.closed'))} ${movedTo ? t.say('calendar.closure.closed-to', { when: dayAndTime(t, movedTo) }) : ''}`
  const why = reason ? t.say(`calendar.closure.reason.${reason}`, { count: available ?? 0 }) : ''
  return html`${badge(t.say('calendar.closure.left'), 'warn')} ${why}`
}
