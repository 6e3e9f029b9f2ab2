/** The SQL that finds a customer's data in the stored responses of idempotency keys, and erases it. */
import { liveAccountOf } from '../accounts/model.ts'
import type { Fragment, Queryable, Transaction } from '../platform/postgres/database.ts'
import type { Erasure } from './erasure-queries.ts'
import type { CustomerIdentifier } from './model.ts'

export type ErasableResponse = { apiKeyId: number; operation: string; key: string; response: unknown }

/**
 * Whether a row of `idempotency_keys` belongs to a key or user of the operator, and may have customers' data.
 * The operations that are left out, and the responses to partners, which are many more, have none.
 */
function isOfOperator(sql: Queryable, accountId: number) {
  return sql`(
    api_key_id = any(array(
      select id from api_keys where account_id = ${accountId} and 'operator' = any(scopes)
      union select id from users where account_id = ${liveAccountOf(accountId)}
    ))
    and operation not in ('booking.create', 'usage.record', 'usage.record-batch'))`
}

/**
 * Locks and returns the stored responses (of idempotency keys) to the operator that contain the reference of
 * a booking of an erasure, or that are about its sale without naming a booking, as those about some refunds
 * are.
 */
export function lockResponses(tx: Transaction, { accountId, id }: Erasure) {
  return lockResponsesWith(tx, accountId, isAbout(tx, accountId, tx`bookings.erasure_id = ${id}`))
}

/**
 * Locks and returns the stored responses to the operator that contain the customer's e-mail address or phone
 * number, except those about erased bookings: lockResponses() returns these.
 */
export function lockResponsesOf(tx: Transaction, accountId: number, { email, phone }: CustomerIdentifier) {
  return lockResponsesWith(
    tx,
    accountId,
    // Nearly all responses are of other customers. Searching the text first takes a fraction of the time.
    tx`(position(lower(${email}) in lower(response::text)) > 0 or position(${phone} in response::text) > 0) and exists (
      select from jsonb_path_query(response, '$.** ? (@.type() == "string")') as word
      where lower(word #>> '{}') = lower(${email}) or word #>> '{}' = ${phone}
    ) and not (${isAbout(tx, accountId, tx`bookings.erasure_id is not null`)})`,
  )
}

/**
 * Whether a stored response names a booking that meets a condition, or is about its sale without naming a
 * booking.
 */
function isAbout(sql: Queryable, accountId: number, condition: Fragment) {
  return sql`exists (
    select from jsonb_path_query(response, '$.**.BookingReference') as named
    join bookings on bookings.account_id = ${accountId} and bookings.reference = named #>> '{}'
    where ${condition}
  ) or exists (
    select from jsonb_path_query(response, '$.** ? (@.BookingReference == null).BasketID') as sale
    join bookings on bookings.account_id = ${accountId} and bookings.basket_id = (sale #>> '{}')::bigint
    where ${condition}
  )`
}

function lockResponsesWith(tx: Transaction, accountId: number, condition: Fragment) {
  return tx<ErasableResponse[]>`
    select api_key_id as "apiKeyId", operation, key, response from idempotency_keys
    where account_id = ${accountId} and ${isOfOperator(tx, accountId)} and (${condition})
    order by api_key_id, operation, key
    for update`
}

export async function updateResponses(
  tx: Transaction,
  accountId: number,
  answers: ErasableResponse[],
): Promise<void> {
  await tx`
    update idempotency_keys set response = cleared.response::jsonb
    from unnest(
      ${answers.map(({ apiKeyId }) => apiKeyId)}::bigint[], ${answers.map(({ operation }) => operation)}::text[],
      ${answers.map(({ key }) => key)}::text[],
      ${answers.map(({ response }) => JSON.stringify(response))}::text[]
    ) as cleared (api_key_id, operation, key, response)
    where idempotency_keys.account_id = ${accountId} and idempotency_keys.api_key_id = cleared.api_key_id
      and idempotency_keys.operation = cleared.operation and idempotency_keys.key = cleared.key`
}
