/** Every job there is, as data: its queue, its payload, when it comes by itself, and how it is tried again. */
import { type Static, type TSchema, Type } from '../platform/schema/typebox.ts'
import type { QueueName } from './queues.ts'

type JobDefinition = {
  queue: QueueName
  payload: TSchema
  /** Cron pattern (UTC) of a job that comes by itself, with an empty payload. */
  schedule?: string
  /** Tries before the job counts as failed. */
  attempts: number
  /** Time before the second try; it doubles with every other unless `steady`. */
  backoff: { milliseconds: number; steady?: true }
}

const nothing = Type.Object({})
const seconds = { milliseconds: 1000 }

/** A metered entry on its way to the worker, as short as it can be: there are very many of them. */
export const entryTuple = Type.Tuple([
  Type.Integer({ description: 'Account.' }),
  Type.Integer({ description: 'ID of the entry.' }),
  Type.Integer({
    description: 'When it was accepted, Unix milliseconds; part of its key, with account and ID.',
  }),
  Type.String({ description: 'Meter.' }),
  Type.String({ description: 'Usage, a decimal.' }),
  Type.Integer({ description: 'When it occurred, Unix seconds.' }),
  Type.Union([Type.String(), Type.Null()], { description: 'ExtraInfo.' }),
])
export type EntryTuple = Static<typeof entryTuple>

export const jobs = {
  'schedules.top-up': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '15 3 * * *',
    attempts: 10,
    backoff: seconds,
  },
  // For those whose process died between two steps.
  'schedules.finish': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '2-57/5 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'idempotency-keys.sweep': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '*/10 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'sign-ins.sweep': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '25 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'usage.store': {
    queue: 'usage',
    payload: Type.Array(entryTuple),
    // An entry that was accepted is never given up; one that cannot be stored is parked by the handler.
    attempts: 2 ** 31 - 1,
    backoff: { milliseconds: 1000, steady: true },
  },
  'usage.make-partitions': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '5 1 * * *',
    attempts: 10,
    backoff: seconds,
  },
  'usage.audit': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '30 4 * * *',
    attempts: 3,
    backoff: seconds,
  },
  // The statements that store usage tell of what they cross; this finds what they could not see.
  'usage.check-thresholds': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '* * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'bookings.audit': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '45 4 * * *',
    attempts: 3,
    backoff: seconds,
  },
  // Counts the days again that events have marked.
  'sales-totals.keep': {
    queue: 'reports',
    payload: nothing,
    schedule: '*/5 * * * * *',
    attempts: 1,
    backoff: seconds,
  },
  'sales-totals.audit': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '15 5 * * *',
    attempts: 3,
    backoff: seconds,
  },
  // Forgets the sales that owe nothing, which were noted when they were made.
  'bookings.check-owing': {
    queue: 'reports',
    payload: nothing,
    schedule: '*/10 * * * * *',
    attempts: 1,
    backoff: seconds,
  },
  // The version before keeps some refunds of providers that it could match.
  'refunds.match-kept': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '8-58/10 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  // The words of new bookings follow their events; this writes those of bookings made before there were words.
  'bookings.fill-words': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '55 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'partner-calls.sweep': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '35 2 * * *',
    attempts: 3,
    backoff: seconds,
  },
  'personal-data.erase-old': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '20 2 * * *',
    attempts: 3,
    backoff: seconds,
  },
  'erasures.finish': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '5-55/10 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'emails.sweep': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '50 2 * * *',
    attempts: 3,
    backoff: seconds,
  },
  // Woken after each commit that appended events; the schedule finds what a lost wake-up left.
  'events.number': {
    queue: 'events',
    payload: Type.Object({
      Accounts: Type.Optional(Type.Array(Type.Integer(), { description: 'All accounts when not given.' })),
    }),
    schedule: '* * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'events.sweep': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '45 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  // Woken when the pump has numbered what happened in a live catalogue; the schedule finds what a lost wake-up left, and what
  // no event tells of.
  'test-accounts.follow': {
    queue: 'test-accounts',
    payload: Type.Object({
      Accounts: Type.Optional(
        Type.Array(Type.Integer(), { description: 'Live accounts; all when not given.' }),
      ),
    }),
    schedule: '* * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'test-bookings.sweep': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '10 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  // A request that needs the places sooner ends the holds on them itself.
  'holds.sweep': {
    queue: 'holds',
    payload: nothing,
    schedule: '* * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'workflows.sweep': {
    queue: 'workflows',
    payload: nothing,
    schedule: '*/30 * * * * *',
    attempts: 3,
    backoff: seconds,
  },
  // Woken when the pump has numbered events; the schedule finds what is to be tried again, and what a lost wake-up left.
  'webhooks.deliver': {
    queue: 'webhooks',
    payload: Type.Object({
      Accounts: Type.Optional(Type.Array(Type.Integer(), { description: 'All accounts when not given.' })),
    }),
    schedule: '*/5 * * * * *',
    attempts: 1,
    backoff: seconds,
  },
  'webhooks.sweep': {
    queue: 'maintenance',
    payload: nothing,
    schedule: '40 * * * *',
    attempts: 3,
    backoff: seconds,
  },
  // Woken after each commit that left an e-mail; the schedule finds those to be tried again, and what a lost wake-up left.
  'emails.send': {
    queue: 'emails',
    payload: nothing,
    schedule: '* * * * *',
    attempts: 1,
    backoff: seconds,
  },
} as const satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type Payload<K extends JobName> = Static<(typeof jobs)[K]['payload']>
/** A handler for every job: one that is missing does not compile. */
export type Handlers = { [K in JobName]: (payload: Payload<K>) => Promise<unknown> }

/** How BullMQ is told to try a job again. */
export function tries(name: JobName) {
  const { attempts, backoff }: JobDefinition = jobs[name]
  const type = backoff.steady ? 'fixed' : 'exponential'
  // The newest trace says it: a job may be tried for hours.
  return { attempts, backoff: { type, delay: backoff.milliseconds }, stackTraceLimit: 1 }
}
