/**
 * The use case of recording usage: gives entries their ids, stores idempotency keys, and adds the entries to
 * the next batch, which a durable queue acknowledges or the database stores.
 *
 * Why a crash neither loses an entry nor counts one twice: an entry gets its id and time of acceptance before
 * it is sent anywhere. With an idempotency key, the id and the time are committed first. Storing an entry
 * with the same id and time again changes nothing, so any process that does not know the result can repeat
 * the later steps.
 *
 * For this reason a key stays bound to its body after a 503 too. After a 503 the entry may be stored or
 * queued, and another request with the same key may be sending it. If another body were accepted, both
 * entries could be counted, or the second could be acknowledged although only the first is stored. Only a
 * retry with the same body makes the result certain.
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
  /** The body that the idempotency key is bound to. */
  body: object
  submissions: readonly Submission[]
  idempotencyKey: string | undefined
}

export type RecordedUsage = { accepted: string; replayed: boolean }

export type Recording = {
  /**
   * Accepts all entries or none. When it resolves, the entries are durable, and every later summary counts
   * them or reports them as pending. `accepted` is the JSON of their responses, separated by commas. No part
   * of the order stays in memory while its entries wait to be stored.
   * @throws Problem idempotency-key-reused, or unavailable if too many entries or requests wait in this
   * process, or if no store confirms the entries. Entries without a confirmation may be stored nevertheless;
   * a retry with the same idempotency key makes the result certain.
   */
  record(order: UsageOrder): Promise<RecordedUsage>
  /** Resolves when the entries of all requests under way are durable or refused. */
  drain(): Promise<void>
}

/** How many ids are drawn ahead, for use while PostgreSQL is down. */
const idReserve = 100_000
const mebibyte = 1024 * 1024
const busy = () => problems.unavailable('Too much usage is waiting to be stored; please try again.')

/** @param reserve how many ids of entries to draw ahead. */
export function createEntryIds(sql: Sql, reserve = 0): IdSource {
  return createIdSource((blocks) => drawIdBlocks(sql, blocks), idBlockSize, reserve)
}

type RecordingOptions = { sql: Sql; queue: JobQueue; log: Logger; metrics: UsageCounters }

export function createRecording({ sql, queue, log, metrics }: RecordingOptions): Recording {
  const takeIds = createEntryIds(sql, idReserve)
  takeIds(0).catch(() => {})
  // The entries of a request that timed out stay here and count towards the limits, so that a store that does
  // not respond fills only this buffer.
  const batches = createBatcher<EncodedEntries, undefined>({
    measure: ({ count, tuples }) => ({ count, bytes: tuples.length }),
    ownerOf: ({ accountId }) => accountId,
    maxSize: 10_000,
    // The size of a job limits how much memory the longest backlog takes in Redis (docs/scaling.md).
    maxBytes: 75 * 1024,
    concurrency: 4,
    maxWaiting: 50_000,
    maxWaitingBytes: 64 * mebibyte,
    refusal: busy,
    observe: metrics.observeBatches('usage-recording'),
    run: (items) => makeBatchDurable({ sql, queue, log, metrics }, items),
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
    // Two functions, because a single function would keep its order in memory while it waits.
    record: (order) => accept(order).then(makeDurable),
    async drain() {
      await claims.drain()
      await batches.drain()
    },
  }
}

/**
 * Adds a batch to the queue as one job. If the queue is not durable, is full or does not respond, stores the
 * batch in PostgreSQL.
 */
async function makeBatchDurable(
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
    // The queue may have accepted the job although the call failed. The ids of the entries prevent a second
    // count.
    log.debug({ err: error }, 'usage goes straight to PostgreSQL')
    return false
  }
}

function decodeEntries(payload: string): Entry[] {
  return (JSON.parse(payload) as EntryTuple[]).map(fromTuple)
}

type ClaimRequest = { operation: string; claim: Claim }
/** The acceptance of the first request with a key; null when that request had another body. */
type ClaimOutcome = Acceptance | null

/**
 * Claims the keys of many requests. One statement for each operation commits the claims with their responses.
 */
async function claim(sql: Sql, requests: ClaimRequest[]): Promise<(ClaimOutcome | Error)[]> {
  const outcomes = new Map<ClaimRequest, ClaimOutcome>()
  for (const operation of new Set(requests.map((request) => request.operation))) {
    const ours = requests.filter((request) => request.operation === operation)
    // A statement can claim a key only once. Other requests with the same key get the result of the first.
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

/**
 * Claims keys, and tries once more if the connection breaks. If the claims were committed nevertheless, the
 * second try finds them with their responses.
 */
async function claimOnce(sql: Sql, operation: string, claims: Claim[]) {
  try {
    return await claimKeys(sql, operation, claims)
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return claimKeys(sql, operation, claims)
  }
}
