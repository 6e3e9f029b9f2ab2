/** The rules of usage: which entries are stored, which events are metered, and what summaries count. */
import type { Violation } from './booking-rules.ts'
import type { FinalEvent, FinalState } from './final-state.ts'
import {
  type Attempt,
  answerOf,
  group,
  type History,
  operationsOf,
  recordingKinds,
  spanOf,
} from './history.ts'

/**
 * How many times each entry of an operation is stored, at least and at most. Without a key, each attempt
 * with an unknown outcome may have stored it.
 */
function timesOf(kind: string, attempts: Attempt[]): { least: number; most: number } {
  const acknowledged = attempts.filter(({ outcome }) => outcome === 'ok').length
  const possible = attempts.filter(({ outcome }) => outcome !== 'fail').length
  return kind.endsWith('-once')
    ? { least: Math.min(1, acknowledged), most: Math.min(1, possible) }
    : { least: acknowledged, most: possible }
}

/** Every acknowledged entry is stored once, with the id in the response; totals equal the stored entries. */
export function* checkEntries(history: History, final: FinalState): Generator<Violation> {
  const stored = group(final.entries, ({ extraInfo }) => extraInfo)
  for (const kind of recordingKinds)
    for (const operation of operationsOf(history, kind)) {
      const { least, most } = timesOf(kind, operation.attempts)
      const ids = answerOf(operation)?.ids
      for (const [index, name] of operation.request.entries.entries()) {
        const found = stored.get(name) ?? []
        const detail = `${kind} ${name}: ${found.length} times, not ${least} to ${most}`
        if (found.length < least) yield { rule: 'entry-lost', detail }
        if (found.length > most) yield { rule: 'entry-counted-twice', detail }
        if (ids && found.length > 0 && !found.some(({ id }) => id === ids[index]))
          yield { rule: 'entry-of-another-id', detail: `${name}: answered ${ids[index]}` }
      }
    }
  if (final.rejects > 0) yield { rule: 'entries-rejected', detail: `${final.rejects}` }
  const byMeter = group(final.entries, ({ meter }) => meter)
  const totals = new Map(final.totals.map(({ meter, events }) => [meter, events]))
  for (const meter of new Set([...byMeter.keys(), ...totals.keys()])) {
    const [entries, counted] = [byMeter.get(meter)?.length ?? 0, totals.get(meter) ?? 0]
    if (entries !== counted)
      yield { rule: 'total-differs', detail: `${meter}: ${counted} counted, ${entries} stored` }
  }
}

/**
 * The events of each account are numbered without gaps. Every sale has one event that counts as an order, and every
 * event that is usage has one entry.
 */
export function* checkEvents(final: FinalState): Generator<Violation> {
  for (const [accountId, events] of group(final.events, ({ accountId }) => accountId)) {
    const waiting = events.filter(({ number }) => number === null).length
    if (waiting > 0) yield { rule: 'event-not-numbered', detail: `account ${accountId}: ${waiting} events` }
    const numbers = events.flatMap(({ number }) => number ?? []).sort((a, b) => a - b)
    const wrong = numbers.findIndex((number, index) => number !== index + 1)
    if (wrong >= 0)
      yield { rule: 'log-has-gaps', detail: `account ${accountId}: ${numbers[wrong]} in place ${wrong + 1}` }
  }
  const events = group(
    final.events.flatMap((event) => meteredAs(event) ?? []),
    (name) => name,
  )
  const entries = group(
    final.entries.filter(({ meter }) => !meter.startsWith('meter ')),
    ({ meter, extraInfo }) => `${meter} ${extraInfo}`,
  )
  for (const name of new Set([...events.keys(), ...entries.keys()])) {
    const [caused, metered] = [events.get(name)?.length ?? 0, entries.get(name)?.length ?? 0]
    if (caused !== metered)
      yield { rule: 'event-not-metered-once', detail: `${name}: ${caused} events, ${metered} entries` }
  }
  const sales = group(
    [
      ...final.baskets.filter(({ status }) => status === 'completed').map(({ id }) => id),
      ...final.bookings.filter(({ channel }) => channel === 'partner').map(({ basketId }) => basketId),
    ],
    orderOf,
  )
  const orders = [...events.keys()].filter((name) => name.startsWith('order-completed '))
  for (const name of new Set([...sales.keys(), ...orders])) {
    const [sold, caused] = [sales.get(name)?.length ?? 0, events.get(name)?.length ?? 0]
    if (sold !== 1 || caused !== 1)
      yield { rule: 'order-not-metered-once', detail: `${name}: ${sold} sales, ${caused} events` }
  }
}

/** Meter and ExtraInfo of the entry for an event; null when it is not usage. */
function meteredAs({ type, actor, basketId, waitlistEntryId, details }: FinalEvent): string | null {
  const isOrder = type === 'basket.completed' || (type === 'booking.confirmed' && actor === 'partner')
  if (isOrder) return orderOf(basketId!)
  if (type !== 'email.sent') return null
  const { Kind, BookingID } = details
  if (Kind === 'waitlist-offer')
    return `waitlist-notified ${JSON.stringify({ WaitlistID: waitlistEntryId, MultiBookingID: BookingID })}`
  return Kind === 'workflow' ? 'workflow-email-sent {}' : null
}

function orderOf(basketId: number): string {
  return `order-completed {"BasketID":${basketId}}`
}

type Counted = { at: number; meter: string; count: number }

/**
 * A summary without pending entries counts everything acknowledged before it; no summary counts more than was
 * requested before its end, or less than an earlier one.
 */
export function* checkSummaries(history: History): Generator<Violation> {
  const { acknowledged, begun } = listCounts(history)
  const summaries = operationsOf(history, 'summarize')
    .flatMap(({ attempts }) => attempts)
    .flatMap(({ answer, ...attempt }) => (answer ? [{ ...attempt, ...answer }] : []))
  const [sure, possible] = [createSums(acknowledged), createSums(begun)]
  for (const { invoked, completed, pending, events } of summaries) {
    for (const meter of new Set([...Object.keys(events), ...sure.meters])) {
      const counted = events[meter] ?? 0
      const [least, most] = [sure.until(meter, invoked), possible.until(meter, completed)]
      if (pending === '0' && counted < least)
        yield { rule: 'summary-misses', detail: `${meter}: ${counted} of ${least} acknowledged before` }
      if (possible.meters.has(meter) && counted > most)
        yield { rule: 'summary-exceeds', detail: `${meter}: ${counted}, but only ${most} were requested` }
    }
  }
  yield* checkMonotone(summaries)
}

/**
 * The entries that were certainly counted from a time on, and those that may have been. The lists are not
 * sorted.
 */
function listCounts(history: History): { acknowledged: Counted[]; begun: Counted[] } {
  const [acknowledged, begun]: [Counted[], Counted[]] = [[], []]
  for (const kind of recordingKinds)
    for (const operation of operationsOf(history, kind)) {
      const { meter, entries } = operation.request
      const span = spanOf(operation)
      const { most } = timesOf(kind, operation.attempts)
      if (Number.isFinite(span.acknowledged))
        acknowledged.push({ at: span.acknowledged, meter, count: entries.length })
      begun.push({ at: span.invoked, meter, count: most * entries.length })
    }
  const orders = [
    ...operationsOf(history, 'book'),
    ...operationsOf(history, 'pay').filter(({ request }) => request.type === 'succeeded'),
  ]
  for (const order of orders) {
    const { acknowledged: at, invoked } = spanOf(order)
    const one = { meter: 'order-completed', count: 1 }
    if (Number.isFinite(at)) acknowledged.push({ at, ...one })
    begun.push({ at: invoked, ...one })
  }
  return { acknowledged, begun }
}

/** Running sums by meter, which can be read for any time. */
function createSums(counted: Counted[]) {
  const byMeter = group(
    counted.toSorted((one, other) => one.at - other.at),
    ({ meter }) => meter,
  )
  const sums = new Map(
    [...byMeter].map(([meter, list]) => {
      let sum = 0
      const running = list.map(({ at, count }) => {
        sum += count
        return { at, sum }
      })
      return [meter, running]
    }),
  )
  return {
    meters: new Set(sums.keys()),
    /** What was counted before this time. */
    until(meter: string, time: number): number {
      const list = sums.get(meter) ?? []
      let [low, high] = [0, list.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (list[middle]!.at < time) low = middle + 1
        else high = middle
      }
      return low === 0 ? 0 : list[low - 1]!.sum
    },
  }
}

type Read = { invoked: number; completed: number; events: Record<string, number> }

function* checkMonotone(summaries: Read[]): Generator<Violation> {
  const ended = summaries.toSorted((one, other) => one.completed - other.completed)
  const highest: Record<string, number> = {}
  let next = 0
  for (const { invoked, events } of summaries.toSorted((one, other) => one.invoked - other.invoked)) {
    for (; next < ended.length && ended[next]!.completed < invoked; next++)
      for (const [meter, count] of Object.entries(ended[next]!.events))
        highest[meter] = Math.max(highest[meter] ?? 0, count)
    for (const [meter, before] of Object.entries(highest))
      if ((events[meter] ?? 0) < before)
        yield { rule: 'summary-fell', detail: `${meter}: ${events[meter] ?? 0} after ${before}` }
  }
}
