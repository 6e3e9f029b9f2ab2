/**
 * Idempotency keys of every operation. A key is claimed and its response stored in the transaction that does
 * the work, so no crash can separate the two. If the response is known before the work, and the work may be
 * repeated, the claim itself stores the response. Owns the table idempotency_keys; knows no operation.
 */
import { createHash } from 'node:crypto'
import { configure } from 'safe-stable-stringify'
import type { Fragment, Queryable, Sql, Transaction } from './database.ts'

/** A claim of an idempotency key. A key is valid for one API key and one operation. */
export type Claim = {
  accountId: number
  apiKeyId: number
  key: string
  bodyHash: Buffer
  /** The response, if it is known before the work. The claim then needs no transaction around it. */
  response?: object
}

/**
 * The row of a claimed key. If the key was not claimed before, the hash and the response are those of this
 * claim. Otherwise they are those of the earlier request. The response is null if it is not known yet.
 */
export type Claimed = { key: string; apiKeyId: number; bodyHash: Buffer; response: unknown }

/** A claim of claimFreeKeys(): without a hash when another transaction holds the key. */
export type MaybeClaimed = Omit<Claimed, 'bodyHash'> & { bodyHash: Buffer | null }

export const idempotencyHours = 24

// No valid request body is nested that deep. The limit prevents a stack overflow.
const canonical = configure({ maximumDepth: 100 })

/** SHA-256 of the canonical JSON of a parsed body: the order of its fields does not matter. */
export function hashBody(body: unknown): Buffer {
  return createHash('sha256')
    .update(canonical(body) ?? '')
    .digest()
}

/** Identifies a claim within one operation. */
export function claimName({ apiKeyId, key }: Pick<Claim, 'apiKeyId' | 'key'>): string {
  return `${apiKeyId} ${key}`
}

/**
 * Claims keys in sorted order, so that two calls cannot deadlock, and waits for any transaction that holds
 * one of the keys. Claims must name different keys. A key older than 24 hours is claimed again as if it were
 * new.
 */
export function claimKeys(sql: Queryable, operation: string, claims: Claim[]) {
  return sql<Claimed[]>`${insertClaims(sql, operation, unnestClaims(sql, claims))}`
}

/**
 * Claims the keys that no other transaction holds; a key that is held is returned without a hash. All claims
 * of the operation must use this function, which takes an advisory lock for each key: PostgreSQL cannot skip
 * a row that another transaction has inserted and not committed.
 * @param options `wait`: waits for the transaction that holds a key.
 */
export function claimFreeKeys(
  tx: Transaction,
  operation: string,
  claims: Claim[],
  { wait }: { wait: boolean },
) {
  return tx<MaybeClaimed[]>`
    with claim as materialized (
      select *, case when ${wait} then pg_advisory_xact_lock(lock_id) is not null
        else pg_try_advisory_xact_lock(lock_id) end as is_free
      from (
        select *, ${lockIdOf(tx, operation)} as lock_id
        from ${unnestClaims(tx, claims)}
        order by account_id, api_key_id, key
      ) as ordered
    ), claimed as (
      ${insertClaims(tx, operation, tx`claim where is_free`)}
    )
    select claim.key, claim.api_key_id as "apiKeyId", claimed."bodyHash", claimed.response
    from claim left join claimed on claimed."apiKeyId" = claim.api_key_id and claimed.key = claim.key`
}

/**
 * The id of the advisory lock for a key. Every statement that claims keys of an operation with
 * claimFreeKeys() takes this lock first.
 */
export function lockIdOf(sql: Queryable, operation: string): Fragment {
  return sql`hashtextextended(concat_ws(' ', account_id, api_key_id, ${operation}::text, key), 0)`
}

function unnestClaims(sql: Queryable, claims: Claim[]) {
  return sql`unnest(
      ${claims.map((claim) => claim.accountId)}::bigint[],
      ${claims.map((claim) => claim.apiKeyId)}::bigint[],
      ${claims.map((claim) => claim.key)}::text[],
      ${claims.map((claim) => claim.bodyHash.toString('hex'))}::text[],
      ${claims.map(({ response }) => (response ? JSON.stringify(response) : null))}::text[]
    ) as claim (account_id, api_key_id, key, body_hash, response)`
}

function insertClaims(sql: Queryable, operation: string, claims: Fragment) {
  return sql`
    insert into idempotency_keys as kept (account_id, api_key_id, operation, key, body_hash, response)
    select account_id, api_key_id, ${operation}, key, decode(body_hash, 'hex'), response::jsonb
    from ${claims}
    order by account_id, api_key_id, key
    on conflict (account_id, api_key_id, operation, key) do update set
      body_hash = case when kept.created_at > app_now() - ${`${idempotencyHours} hours`}::interval
        then kept.body_hash else excluded.body_hash end,
      response = case when kept.created_at > app_now() - ${`${idempotencyHours} hours`}::interval
        then kept.response else excluded.response end,
      created_at = case when kept.created_at > app_now() - ${`${idempotencyHours} hours`}::interval
        then kept.created_at else app_now() end
    returning key, api_key_id as "apiKeyId", body_hash as "bodyHash", response`
}

/** The response for a claimed key. Null deletes the claim, so that a retry runs the work again. */
export type StoredResponse = { accountId: number; apiKeyId: number; key: string; response: object | null }

/** Stores the response of every claim of a transaction, before its commit. */
export function storeResponses(tx: Transaction, operation: string, answers: StoredResponse[]) {
  return tx`
    with answer as (
      select * from unnest(
        ${answers.map((answer) => answer.accountId)}::bigint[],
        ${answers.map((answer) => answer.apiKeyId)}::bigint[],
        ${answers.map((answer) => answer.key)}::text[],
        ${answers.map((answer) => (answer.response ? JSON.stringify(answer.response) : null))}::text[]
      ) as given (account_id, api_key_id, key, response)
    ), given_up as (
      delete from idempotency_keys using answer
      where answer.response is null and idempotency_keys.operation = ${operation}
        and idempotency_keys.account_id = answer.account_id
        and idempotency_keys.api_key_id = answer.api_key_id and idempotency_keys.key = answer.key
    )
    update idempotency_keys set response = answer.response::jsonb
    from answer
    where answer.response is not null and idempotency_keys.operation = ${operation}
      and idempotency_keys.account_id = answer.account_id
      and idempotency_keys.api_key_id = answer.api_key_id and idempotency_keys.key = answer.key`
}

/**
 * The response stored for a key by one of these operations; null if there is none, or after 24 hours. Claims nothing.
 */
export async function findResponse(
  sql: Queryable,
  operations: readonly string[],
  { accountId, apiKeyId, key }: Pick<Claim, 'accountId' | 'apiKeyId' | 'key'>,
): Promise<unknown> {
  const [row] = await sql<{ response: unknown }[]>`
    select response from idempotency_keys
    where account_id = ${accountId} and api_key_id = ${apiKeyId} and operation = any(${[...operations]}::text[])
      and key = ${key} and created_at > app_now() - ${`${idempotencyHours} hours`}::interval
    limit 1`
  return row?.response ?? null
}

/** Deletes at most 10,000 expired keys, and returns how many. Call it again until it returns 0. */
export async function sweepIdempotencyKeys(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys
      where created_at <= app_now() - ${`${idempotencyHours} hours`}::interval
      order by created_at limit 10000 for update skip locked
    ))`
  return count
}
