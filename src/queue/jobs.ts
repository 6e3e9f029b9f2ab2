/** Every job there is, as data: its payload, when it comes by itself, and how it is tried again. */
import { type Static, type TSchema, Type } from 'typebox'

type JobDefinition = {
  payload: TSchema
  /** Cron pattern (UTC) of a job that comes by itself, with an empty payload. */
  schedule?: string
  /** Tries before the job counts as failed, with exponential backoff from one second. */
  attempts: number
}

export const jobs = {
  'schedules.top-up': { payload: Type.Object({}), schedule: '15 3 * * *', attempts: 10 },
  'idempotency-keys.sweep': { payload: Type.Object({}), schedule: '*/10 * * * *', attempts: 3 },
} as const satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type Payload<K extends JobName> = Static<(typeof jobs)[K]['payload']>
/** A handler for every job: one that is missing does not compile. */
export type Handlers = { [K in JobName]: (payload: Payload<K>) => Promise<unknown> }

export const queueName = 'maintenance'
