/**
 * The requests and responses of clients during a run, and samples of the database. All times are milliseconds
 * on the run's own monotonic clock, which no fault changes.
 */
import type { Arrival } from './receiver.ts'

/** The request of each kind of operation. A slot is `YYYY-MM-DD HH:MM` of the only product. */
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
  /** Free places by slot; a slot that is not listed has none. */
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

/** Kinds that record usage. With `once` in the name, all attempts have the same idempotency key. */
export const recordingKinds = ['record', 'record-batch', 'record-once', 'record-batch-once'] as const

export type Attempt<K extends Kind = Kind> = {
  invoked: number
  completed: number
  /**
   * `ok`: acknowledged. `fail`: refused with a definite reason, so this attempt did nothing. `unknown`: no
   * response, or one that leaves the result open.
   */
  outcome: 'ok' | 'fail' | 'unknown'
  /** Null without a response. */
  status: number | null
  /** The last part of a problem's type. */
  problem: string | null
  answer: Answers[K] | null
}

/** All attempts of one operation. With an idempotency key, they repeat one request. */
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
  samples: Sample[]
  /** Webhooks in the order of their arrival. */
  arrivals: Arrival[]
}

export function operationsOf<K extends Kind>({ operations }: History, kind: K): OperationOf<K>[] {
  return operations.filter((operation) => operation.kind === kind) as unknown as OperationOf<K>[]
}

/** When an operation was first sent, and when it was first acknowledged (infinity if never). */
export function spanOf({ attempts }: { attempts: Attempt[] }): { invoked: number; acknowledged: number } {
  const acknowledged = attempts.filter(({ outcome }) => outcome === 'ok').map(({ completed }) => completed)
  return {
    invoked: Math.min(...attempts.map(({ invoked }) => invoked)),
    acknowledged: Math.min(Number.POSITIVE_INFINITY, ...acknowledged),
  }
}

/** The first successful response; null when there is none. */
export function answerOf<K extends Kind>({ attempts }: { attempts: Attempt<K>[] }): Answers[K] | null {
  return attempts.find(({ outcome }) => outcome === 'ok')?.answer ?? null
}

/** Whether an operation may have had its effect. */
export function mayHaveActed({ attempts }: { attempts: Attempt[] }): boolean {
  return attempts.some(({ outcome }) => outcome !== 'fail')
}

/** Groups items by a key. The items of a group keep their order. */
export function group<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const found = groups.get(keyOf(item))
    if (found) found.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
