/** What must hold of usage: every entry and every platform event is counted once, and summaries miss nothing. */
import type { Violation } from './booking-rules.ts'
import type { FinalState } from './final-state.ts'
import {
  type Attempt,
  answerOf,
  group,
  type History,
  operationsOf,
  recordingKinds,
  spanOf,
} from './history.ts'

/** How often what an operation recorded may be stored: without a key a lost answer leaves it open. */
function timesOf(kind: string, attempts: Attempt[]): { least: number; most: number } {
  const acknowledged = attempts.filter(({ outcome }) => outcome === 'ok').length
  const possible = attempts.filter(({ outcome }) => outcome !== 'fail').length
  return kind.endsWith('-once')
    ? { least: Math.min(1, acknowledged), most: Math.min(1, possible) }
    : { least: acknowledged, most: possible }
}

/** Every acknowledged entry is stored once, under the id that was answered; totals count just what is stored. */
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

/** Every completed basket is one platform event, and every platform event one entry. */
export function* checkPlatformEvents(history: History, final: FinalState): Generator<Violation> {
  const nameOf = ({ meter, extraInfo }: { meter: string; extraInfo: string | null }) =>
    `${meter} ${extraInfo}`
  const events = group(final.platformEvents, nameOf)
  const entries = group(
    final.entries.filter(({ meter }) => !meter.startsWith('meter ')),
    nameOf,
  )
  for (const name of new Set([...events.keys(), ...entries.keys()])) {
    const [caused, metered] = [events.get(name) ?? [], entries.get(name) ?? []]
    if (caused.length !== metered.length || caused.some(({ isRecorded }) => !isRecorded))
      yield {
        rule: 'event-not-metered-once',
        detail: `${name}: ${caused.length} events, ${metered.length} entries`,
      }
  }
  for (const { id, status } of final.baskets) {
    const caused = events.get(`order-completed {"BasketID":${id}}`)?.length ?? 0
    if (caused !== (status === 'completed' ? 1 : 0))
      yield { rule: 'order-not-metered-once', detail: `basket ${id} is ${status}: ${caused} events` }
  }
  const statuses = new Map(final.baskets.map(({ id, status }) => [id, status]))
  const bookings = new Map(final.bookings.map(({ reference, basketId }) => [reference, basketId]))
  for (const operation of operationsOf(history, 'book')) {
    const reference = answerOf(operation)?.reference
    const basketId = reference === undefined ? undefined : bookings.get(reference)
    if (basketId !== undefined && statuses.get(basketId) !== 'completed')
      yield { rule: 'order-not-metered-once', detail: `${reference}: basket ${statuses.get(basketId)}` }
  }
}

type Counted = { at: number; meter: string; count: number }

/** A summary that says nothing is pending counts all that was acknowledged before it; none counts ever less. */
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
        yield { rule: 'summary-exceeds', detail: `${meter}: ${counted}, though ${most} were ever asked for` }
    }
  }
  yield* checkMonotone(summaries)
}

/** What was surely counted from when on, and what may have been counted from when on, in order of time. */
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

/** Running sums by meter, to be asked for any time. */
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
