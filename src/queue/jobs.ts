/** Every job, as data: its queue, its payload, its schedule and its retries. */
import { type Static, type TSchema, Type } from '../platform/schema/typebox.ts'
import type { QueueName } from './queues.ts'

type JobDefinition = {
  queue: QueueName
  payload: TSchema
  /** Cron pattern (UTC) of a job that runs on a schedule, with an empty payload. */
  schedule?: string
  /** Tries before the job counts as failed. */
  attempts: number
  /** Time before the second try. It doubles with each further try, unless `steady`. */
  backoff: { milliseconds: number; steady?: true }
}

const nothing = Type.Object({})
const seconds = { milliseconds: 1000 }

/** A job of the maintenance queue that runs on a schedule, without a payload. */
function maintenance(schedule: string, attempts = 3) {
  return { queue: 'maintenance', payload: nothing, schedule, attempts, backoff: seconds } as const
}

/** A usage entry on its way to the worker, as short as possible because there are very many of them. */
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
  'schedules.top-up': maintenance('15 3 * * *', 10),
  // Completes changes of schedules that a process did not finish because it died between two steps.
  'schedules.finish': maintenance('2-57/5 * * * *'),
  'idempotency-keys.sweep': maintenance('*/10 * * * *'),
  'sign-ins.sweep': maintenance('25 * * * *'),
  'usage.store': {
    queue: 'usage',
    payload: Type.Array(entryTuple),
    // An accepted entry is retried without end. The handler moves an entry that cannot be stored to
    // usage_rejects.
    attempts: 2 ** 31 - 1,
    backoff: { milliseconds: 1000, steady: true },
  },
  'usage.make-partitions': maintenance('5 1 * * *', 10),
  'usage.audit': maintenance('30 4 * * *'),
  // The statements that store usage record which thresholds it crosses. This job finds the crossings that
  // they could not see.
  'usage.check-thresholds': maintenance('* * * * *'),
  'bookings.audit': maintenance('45 4 * * *'),
  // Reads new events, and recounts the days whose sales they changed.
  'sales-totals.keep': {
    queue: 'reports',
    payload: nothing,
    schedule: '*/5 * * * * *',
    attempts: 1,
    backoff: seconds,
  },
  'sales-totals.audit': maintenance('15 5 * * *'),
  // Triggers note the confirmed bookings of sales that may owe money. This job removes the notes if nothing is owed.
  'bookings.check-owing': {
    queue: 'reports',
    payload: nothing,
    schedule: '*/10 * * * * *',
    attempts: 1,
    backoff: seconds,
  },
  // The previous version of the service leaves some refunds of payment providers unmatched. This job matches
  // them.
  'refunds.settle': maintenance('8-58/10 * * * *'),
  // A booking's search words are written when an event that changes them is numbered. This job writes the
  // search words of bookings that have none, or that have only those of an earlier version.
  'bookings.fill-words': maintenance('55 * * * *'),
  'partner-calls.sweep': maintenance('35 2 * * *'),
  'personal-data.erase-old': maintenance('20 2 * * *'),
  'erasures.finish': maintenance('5-55/10 * * * *'),
  'emails.sweep': maintenance('50 2 * * *'),
  // Woken after each commit that appended events. The schedule covers lost wake-ups.
  'events.number': {
    queue: 'events',
    payload: Type.Object({
      Accounts: Type.Optional(Type.Array(Type.Integer(), { description: 'All accounts when not given.' })),
    }),
    schedule: '* * * * *',
    attempts: 3,
    backoff: seconds,
  },
  'events.sweep': maintenance('45 * * * *'),
  // Woken when the pump has numbered events of a live catalogue. The schedule covers lost wake-ups, and
  // changes without an event.
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
  'test-bookings.sweep': maintenance('10 * * * *'),
  // Once a minute is enough, because a request that needs places releases expired holds itself.
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
  // Woken after each commit that may give an endpoint something to deliver. The schedule covers retries and lost
  // wake-ups.
  'webhooks.deliver': {
    queue: 'webhooks',
    payload: Type.Object({
      Accounts: Type.Optional(Type.Array(Type.Integer(), { description: 'All accounts when not given.' })),
    }),
    schedule: '*/5 * * * * *',
    attempts: 1,
    backoff: seconds,
  },
  'webhooks.sweep': maintenance('40 * * * *'),
  // Woken after each commit that queued an e-mail. The schedule covers retries and lost wake-ups.
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
/** A handler for every job. A missing handler does not compile. */
export type Handlers = { [K in JobName]: (payload: Payload<K>) => Promise<unknown> }

/** The retry options of BullMQ for a job. */
export function tries(name: JobName) {
  const { attempts, backoff }: JobDefinition = jobs[name]
  const type = backoff.steady ? 'fixed' : 'exponential'
  // The latest stack trace is enough: a job may be tried for hours.
  return { attempts, backoff: { type, delay: backoff.milliseconds }, stackTraceLimit: 1 }
}
