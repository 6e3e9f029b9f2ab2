/**
 * What clients asked and were answered during a run, and what was seen in the database beside them. All times are
 * milliseconds on the run's own monotonic clock, which no fault touches.
 */
import type { Arrival } from './receiver.ts'

/** What each kind of operation asks. A slot is `YYYY-MM-DD HH:MM` of the one product there is. */
export type Requests = {
  book: { slot: string; participants: number; payment: string }
  cancel: { reference: string }
  move: { reference: string; slot: string }
  hold: { lines: Line[]; email: string }
  pay: { event: string; basketId: number; type: 'succeeded' | 'failed'; amount: string }
  join: { slot: string; participants: number; email: string }
  leave: { waitlistId: number }
  /** Each entry is named by its ExtraInfo. */
  record: Recorded
  'record-batch': Recorded
  'record-once': Recorded
  'record-batch-once': Recorded
  summarize: Record<string, never>
  availability: { date: string }
}
export type Line = { slot: string; participants: number }
export type Recorded = { meter: string; entries: string[] }
type Ids = { ids: number[] }

export type Answers = {
  book: { reference: string }
  cancel: { status: string }
  move: { slot: string }
  hold: { basketId: number; total: string; references: string[] }
  pay: { outcome: string; basketStatus: string }
  join: { waitlistId: number; reference: string }
  leave: { status: string }
  record: Ids
  'record-batch': Ids
  'record-once': Ids
  'record-batch-once': Ids
  /** Events by meter. */
  summarize: { pending: string; events: Record<string, number> }
  /** Places free, by slot; one that is not listed has none. */
  availability: { free: Record<string, number> }
}

export type Kind = keyof Requests
export const kinds = [
  'book',
  'cancel',
  'move',
  'hold',
  'pay',
  'join',
  'leave',
  'record',
  'record-batch',
  'record-once',
  'record-batch-once',
  'summarize',
  'availability',
] as const satisfies Kind[]

/** Which records usage, and whether a retry is the same request. */
export const recordingKinds = ['record', 'record-batch', 'record-once', 'record-batch-once'] as const

export type Attempt<K extends Kind = Kind> = {
  invoked: number
  completed: number
  /**
   * `ok`: acknowledged. `fail`: refused for good, so that this attempt has done nothing. `unknown`: no answer, or
   * one that leaves open what was done.
   */
  outcome: 'ok' | 'fail' | 'unknown'
  /** Null when there was no answer. */
  status: number | null
  /** The last part of a problem's type. */
  problem: string | null
  answer: Answers[K] | null
}

/** All attempts at one thing: with an idempotency key they are one request, sent until it is decided. */
export type OperationOf<K extends Kind> = { kind: K; request: Requests[K]; attempts: Attempt<K>[] }
export type Operation = { [K in Kind]: OperationOf<K> }[Kind]

/** A timeslot and its bookings, read from PostgreSQL in one statement. */
export type SlotState = {
  slot: string
  capacity: number
  booked: number
  held: number
  confirmedPlaces: number
  heldPlaces: number
}
export type Sample = { at: number; slots: SlotState[] }

export type History = {
  operations: Operation[]
  samples: Sample[] /** Webhooks as they arrived. */
  arrivals: Arrival[]
}

export function operationsOf<K extends Kind>({ operations }: History, kind: K): OperationOf<K>[] {
  return operations.filter((operation) => operation.kind === kind) as unknown as OperationOf<K>[]
}

/** When an operation was first asked, and when it was first acknowledged (for ever, if it was not). */
export function spanOf({ attempts }: { attempts: Attempt[] }): { invoked: number; acknowledged: number } {
  const acknowledged = attempts.filter(({ outcome }) => outcome === 'ok').map(({ completed }) => completed)
  return {
    invoked: Math.min(...attempts.map(({ invoked }) => invoked)),
    acknowledged: Math.min(Number.POSITIVE_INFINITY, ...acknowledged),
  }
}

/** The first answer of success; null when there is none. */
export function answerOf<K extends Kind>({ attempts }: { attempts: Attempt<K>[] }): Answers[K] | null {
  return attempts.find(({ outcome }) => outcome === 'ok')?.answer ?? null
}

/** Whether an operation may have done what it asks. */
export function mayHaveActed({ attempts }: { attempts: Attempt[] }): boolean {
  return attempts.some(({ outcome }) => outcome !== 'fail')
}

/** Items by what they have in common, in their order. */
export function group<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const found = groups.get(keyOf(item))
    if (found) found.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
