/**
 * The use case of recording usage: gives entries their ids, keeps idempotency keys, and hands the entries to the
 * next batch, which is acknowledged by a durable queue or stored. Knows nothing of HTTP.
 *
 * Why no crash loses an entry or counts one twice: an entry's id and time of acceptance are settled before it is
 * sent anywhere (with an idempotency key: committed), and storing is idempotent by them. So everything after
 * that may be done again, by whoever is in doubt.
 *
 * So a key stays with its body after a 503 as well. The entry may be stored then, or on its way, and another
 * request with the key may be sending it just now: to take another body would count both, or acknowledge one that
 * is not kept. Nothing but the same body makes sure what became of it.
 */
import type { Logger } from 'pino'
import type { Caller } from '../../accounts/service.ts'
import { problems } from '../../http/problems.ts'
import { createBatcher } from '../../platform/async/batcher.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { isConnectionLost } from '../../platform/postgres/errors.ts'
import { createIdSource, type IdSource } from '../../platform/postgres/id-blocks.ts'
import { type Claim, claimKeys, claimName, hashBody } from '../../platform/postgres/idempotency.ts'
import type { EntryTuple } from '../../queue/jobs.ts'
import type { JobQueue } from '../../queue/producer.ts'
import type { UsageCounters } from '../metrics.ts'
import { type Acceptance, type Entry, fromTuple, type Submission } from '../model.ts'
import { drawIdBlocks, idBlockSize } from '../store/queries.ts'
import { storeEntries } from '../store/storage.ts'
import { type EncodedEntries, encodeEntries } from './encoding.ts'

export type UsageOrder = {
  caller: Caller
  operation: 'usage.record' | 'usage.record-batch'
  /** The parsed body, of which the idempotency key is a promise. */
  body: object
  submissions: readonly Submission[]
  idempotencyKey: string | undefined
}

export type RecordedUsage = { accepted: string; replayed: boolean }

export type Recording = {
  /**
   * Takes the entries, all of them or none. When it resolves they are durable, and every summary asked for
   * from now on counts them. `accepted` is the JSON of their responses, with commas between them. Nothing of the order
   * is kept while it waits for a store.
   * @throws Problem idempotency-key-reused, or unavailable: too much waits in this process, or no store takes
   *   the entries (they may be stored all the same, which a retry with the same idempotency key makes certain).
   */
  record(order: UsageOrder): Promise<RecordedUsage>
  /** Resolves when everything under way is durable or refused. */
  drain(): Promise<void>
}

/** Ids that are left when PostgreSQL goes away. */
const idsInHand = 100_000
const mebibyte = 1024 * 1024
const busy = () => problems.unavailable('Too much usage is waiting to be stored; please try again.')

/** Ids for entries. @param reserve how many to have in hand, drawn ahead. */
export function createEntryIds(sql: Sql, reserve = 0): IdSource {
  return createIdSource((blocks) => drawIdBlocks(sql, blocks), idBlockSize, reserve)
}

type RecordingOptions = { sql: Sql; queue: JobQueue; log: Logger; metrics: UsageCounters }

export function createRecording({ sql, queue, log, metrics }: RecordingOptions): Recording {
  const takeIds = createEntryIds(sql, idsInHand)
  takeIds(0).catch(() => {})
  // A caller who is told that it took too long leaves its entries here: they stay counted, so that a store that
  // does not answer fills this buffer and nothing else.
  const batches = createBatcher<EncodedEntries, undefined>({
    measure: ({ count, tuples }) => ({ count, bytes: tuples.length }),
    ownerOf: ({ accountId }) => accountId,
    maxSize: 10_000,
    // So much per job is what the longest backlog may take up in Redis (docs/scaling.md).
    maxBytes: 75 * 1024,
    concurrency: 4,
    maxWaiting: 50_000,
    maxWaitingBytes: 64 * mebibyte,
    refusal: busy,
    observe: metrics.observeBatches('usage-recording'),
    run: (items) => keep({ sql, queue, log, metrics }, items),
  })
  const claims = createBatcher<ClaimRequest, ClaimOutcome>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 10_000,
    refusal: busy,
    ownerOf: ({ claim }) => claim.accountId,
    observe: metrics.observeBatches('usage-claims'),
    run: (requests) => claim(sql, requests),
  })

  async function accept({ caller, operation, body, submissions, idempotencyKey }: UsageOrder) {
    const now = Date.now()
    const ids = await takeIds(submissions.length)
    let acceptance: Acceptance = { ids, acceptedAt: now, occurredAt: Math.floor(now / 1000) }
    if (idempotencyKey !== undefined) {
      const { accountId, keyId } = caller
      const key = { accountId, apiKeyId: keyId, key: idempotencyKey, bodyHash: hashBody(body) }
      const first = await claims.add({ operation, claim: { ...key, response: acceptance } })
      if (!first) throw problems.idempotencyKeyReused()
      acceptance = first
    }
    const entries = encodeEntries(caller.accountId, submissions, acceptance)
    return { entries, replayed: acceptance.ids[0] !== ids[0] }
  }

  async function makeDurable({ entries, replayed }: Awaited<ReturnType<typeof accept>>) {
    await batches.add(entries)
    return { accepted: entries.accepted, replayed }
  }

  return {
    // Not one function: its order would live as long as it waits.
    record: (order) => accept(order).then(makeDurable),
    async drain() {
      await claims.drain()
      await batches.drain()
    },
  }
}

/** Puts a batch into the queue as one job, or, where the queue may forget it or does not answer, stores it. */
async function keep(
  { sql, queue, log, metrics }: RecordingOptions,
  items: EncodedEntries[],
): Promise<undefined[]> {
  const payload = `[${items.map(({ tuples }) => tuples).join()}]`
  const queued = queue.state().reasons.length === 0 && (await enqueue(queue, payload, log))
  if (!queued) metrics.entriesStored.inc(await storeEntries(sql, decodeEntries(payload)))
  const count = items.reduce((sum, item) => sum + item.count, 0)
  metrics.entriesAccepted.inc({ path: queued ? 'queue' : 'direct' }, count)
  return items.map(() => undefined)
}

async function enqueue(queue: JobQueue, payload: string, log: Logger): Promise<boolean> {
  try {
    await queue.addText('usage.store', payload)
    return true
  } catch (error) {
    // It may be in the queue all the same; the ids tell.
    log.debug({ err: error }, 'usage goes straight to PostgreSQL')
    return false
  }
}

function decodeEntries(payload: string): Entry[] {
  return (JSON.parse(payload) as EntryTuple[]).map(fromTuple)
}

type ClaimRequest = { operation: string; claim: Claim }
/** What the first request of a key was accepted as; null when its body was another. */
type ClaimOutcome = Acceptance | null

/** Claims the keys of many requests, in one statement for each operation, which commits the answers. */
async function claim(sql: Sql, requests: ClaimRequest[]): Promise<(ClaimOutcome | Error)[]> {
  const outcomes = new Map<ClaimRequest, ClaimOutcome>()
  for (const operation of new Set(requests.map((request) => request.operation))) {
    const ours = requests.filter((request) => request.operation === operation)
    // A statement claims each key once; those who share one go by what the first of them was told.
    const firsts = [...new Map(ours.toReversed().map((request) => [claimName(request.claim), request.claim]))]
    const claimed = await claimOnce(
      sql,
      operation,
      firsts.map(([, first]) => first),
    )
    const byName = new Map(claimed.map((found) => [claimName(found), found]))
    for (const request of ours) {
      const { bodyHash, response } = byName.get(claimName(request.claim))!
      outcomes.set(request, bodyHash.equals(request.claim.bodyHash) ? (response as Acceptance) : null)
    }
  }
  return requests.map((request) => outcomes.get(request) ?? null)
}

/** Once more when the connection broke, perhaps after the claims were committed: then they are ours. */
async function claimOnce(sql: Sql, operation: string, claims: Claim[]) {
  try {
    return await claimKeys(sql, operation, claims)
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return claimKeys(sql, operation, claims)
  }
}
