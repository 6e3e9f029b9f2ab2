/** The result of a run: faults, operations, outages and violations; as data and as Markdown. */
import type { Violation } from './checker.ts'
import { type Attempt, group, type History, type Kind, kinds } from './history.ts'

export type Injection = {
  fault: string
  injected: number
  healed: number
  /** Null when the service did not recover in time. */
  recovered: number | null
  /** Kinds of operation that were not served during the fault, although it should not affect them. */
  missing: Kind[]
}
export type RunFacts = {
  seed: number
  queues: string
  seconds: number
  injections: Injection[]
  notPossible: { fault: string; reason: string }[]
  /** What the service's own audits found. */
  audits: string[]
}
export type Report = RunFacts & {
  faults: FaultSummary[]
  operations: { kind: Kind; ok: number; fail: number; unknown: number }[]
  reads: number
  violations: Violation[]
  /** Everything that makes the run a failure, in words. */
  failures: string[]
}
export type FaultSummary = {
  fault: string
  times: number
  /** The longest outage of each kind of operation, in milliseconds; 0 if there was none. */
  outages: Record<Kind, number>
  /** The longest recovery after a repair, in milliseconds; infinite if the service did not recover in time. */
  recovery: number
}

export function summarize(facts: RunFacts, history: History, violations: Violation[]): Report {
  const byKind = group(history.operations, ({ kind }) => kind)
  const attempts = new Map(
    kinds.map((kind) => [
      kind,
      (byKind.get(kind) ?? [])
        .flatMap((operation): Attempt[] => operation.attempts)
        .sort((one, other) => one.completed - other.completed),
    ]),
  )
  const faults = [...group(facts.injections, ({ fault }) => fault)].map(([fault, injections]) => ({
    fault,
    times: injections.length,
    outages: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        longest(injections, (injection) => longestOutage(attempts.get(kind)!, injection)),
      ]),
    ) as Record<Kind, number>,
    recovery: longest(
      injections,
      ({ healed, recovered }) => (recovered ?? Number.POSITIVE_INFINITY) - healed,
    ),
  }))
  const operations = [...attempts].map(([kind, list]) => {
    const count = (outcome: Attempt['outcome']) =>
      list.filter((attempt) => attempt.outcome === outcome).length
    return { kind, ok: count('ok'), fail: count('fail'), unknown: count('unknown') }
  })
  const availabilityReads = operations.find(({ kind }) => kind === 'availability')!.ok
  return {
    ...facts,
    faults,
    operations,
    reads: history.samples.length + availabilityReads,
    violations,
    failures: listFailures(facts, violations),
  }
}

function longest<T>(items: T[], measure: (item: T) => number): number {
  return Math.max(0, ...items.map(measure))
}

/**
 * The longest time from an attempt that was not served to the next one that was, during a fault and until the
 * service has recovered. @param attempts of one kind, in the order of their completion.
 */
export function longestOutage(
  attempts: readonly Attempt[],
  { injected, healed, recovered }: Pick<Injection, 'injected' | 'healed' | 'recovered'>,
): number {
  const end = recovered ?? healed
  let [longest, served] = [0, injected]
  let since: number | null = null
  for (const { invoked, completed, outcome } of attempts) {
    if (completed < injected || invoked > end) continue
    if (outcome === 'unknown') since = Math.min(since ?? completed, Math.max(invoked, served))
    else {
      if (since !== null) longest = Math.max(longest, completed - since)
      since = null
      served = completed
    }
  }
  return since === null ? longest : Math.max(longest, end - since)
}

function listFailures({ injections, audits }: RunFacts, violations: Violation[]): string[] {
  return [
    ...(violations.length > 0 ? [`${violations.length} violations`] : []),
    ...injections.flatMap(({ fault, missing, recovered }) => [
      ...(missing.length > 0 ? [`${fault}: ${missing.join(', ')} did not go on`] : []),
      ...(recovered === null ? [`${fault}: the service did not recover`] : []),
    ]),
    ...audits,
  ]
}

/** The columns of the table of outages: each has the kinds of operation that a caller sees as one feature. */
const columns: Record<string, readonly Kind[]> = {
  Sell: ['book', 'hold', 'pay'],
  Change: ['cancel', 'move'],
  Waitlist: ['join', 'leave'],
  Record: ['record', 'record-batch'],
  'Record, with key': ['record-once', 'record-batch-once'],
  'Sum up': ['summarize'],
  Availability: ['availability'],
}

export function toMarkdown(report: Report): string {
  const { seed, queues, seconds, faults, operations, reads, violations, failures, notPossible } = report
  const injected = report.injections.length
  const sum = (outcome: 'ok' | 'fail' | 'unknown') =>
    operations.reduce((total, operation) => total + operation[outcome], 0)
  const lines = [
    `Seed ${seed}, queues in ${queues}, ${Math.round(seconds)} seconds: ${injected} faults, ` +
      `${sum('ok')} requests acknowledged, ${sum('fail')} refused, ${sum('unknown')} not served, ` +
      `${reads} reads of timeslots, **${violations.length} violations**.`,
    '',
    'Longest time without service, in seconds:',
    '',
    ...table(
      ['Fault', 'Times', ...Object.keys(columns), 'Recovery'],
      faults.map(({ fault, times, outages, recovery }) => [
        fault,
        String(times),
        ...Object.values(columns).map((kinds) => inSeconds(longest([...kinds], (kind) => outages[kind]))),
        inSeconds(recovery),
      ]),
    ),
    '',
    ...table(
      ['Operation', 'Acknowledged', 'Refused', 'Not served'],
      operations.map(({ kind, ok, fail, unknown }) => [kind, String(ok), String(fail), String(unknown)]),
    ),
    ...notPossible.map(({ fault, reason }) => `\nNot possible here: ${fault} (${reason}).`),
    ...failures.map((failure) => `\nFailed: ${failure}.`),
    ...violations.slice(0, maxShown).map(({ rule, detail }) => `\nViolation: ${rule}: ${detail}`),
  ]
  return `${lines.join('\n')}\n`
}

const maxShown = 40

function inSeconds(milliseconds: number): string {
  if (milliseconds === Number.POSITIVE_INFINITY) return 'never'
  return milliseconds === 0 ? '–' : (milliseconds / 1000).toFixed(1)
}

function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)]
}
