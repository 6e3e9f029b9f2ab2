/** The SQL of webhook endpoints and their secrets. */
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import type { BodyKind, EndpointOwner, PauseReason } from './model.ts'

export type EndpointFields = {
  url: string
  eventTypes: string[]
  description: string
  body: BodyKind
  /** The recipient of an e-mail when the service pauses the endpoint; null for the owners of the account. */
  email: string | null
}

export type Endpoint = EndpointFields & {
  accountId: number
  id: number
  /** The id of the subscription in OCTO. Only used if a reseller created the endpoint through OCTO. */
  uuid: string
  partnerId: number | null
  partnerName: string | null
  status: 'active' | 'paused'
  pauseReason: PauseReason | null
  pausedAt: Date | null
  /** The number of the last event that was processed for the endpoint, and the last number of the account's log. */
  position: number
  end: number
  unfinished: number
  /** Deliveries that were set aside and can still be listed. */
  setAside: number
  failingSince: Date | null
  lastSuccessAt: Date | null
  createdAt: Date
  updatedAt: Date
  secrets: { id: number; createdAt: string }[]
}

const columns = (sql: Queryable) => sql`
  endpoint.account_id as "accountId", endpoint.id, uuid, endpoint.partner_id as "partnerId",
  partners.name as "partnerName", url, event_types as "eventTypes", description, body, endpoint.email, status,
  pause_reason as "pauseReason", paused_at as "pausedAt", position, coalesce(last_number, position) as end, unfinished,
  failing_since as "failingSince", last_success_at as "lastSuccessAt", endpoint.created_at as "createdAt",
  endpoint.updated_at as "updatedAt",
  (
    select count(*) from webhook_deliveries as delivery
    where delivery.account_id = endpoint.account_id and delivery.endpoint_id = endpoint.id
      and delivery.status = 'failed'
  ) as "setAside",
  (
    select coalesce(json_agg(json_build_object('id', id, 'createdAt', created_at) order by id), '[]')
    from webhook_secrets as secret
    where secret.account_id = endpoint.account_id and secret.endpoint_id = endpoint.id
  ) as secrets`

function select(sql: Queryable, owner: EndpointOwner) {
  return sql`
    select ${columns(sql)} from webhook_endpoints as endpoint
    left join partners on partners.account_id = endpoint.account_id and partners.id = endpoint.partner_id
    left join event_counters on event_counters.account_id = endpoint.account_id
    where ${isOwn(sql, owner)}`
}

function isOwn(sql: Queryable, { accountId, partnerId }: EndpointOwner) {
  return sql`endpoint.account_id = ${accountId} and status <> 'deleted'
    ${partnerId === null ? sql`` : sql`and endpoint.partner_id = ${partnerId}`}`
}

/** By id. */
export function listEndpoints(sql: Queryable, owner: EndpointOwner): Promise<Endpoint[]> {
  return sql<Endpoint[]>`${select(sql, owner)} order by endpoint.id`
}

export async function findEndpoint(
  sql: Queryable,
  owner: EndpointOwner,
  id: number,
): Promise<Endpoint | null> {
  const [endpoint] = await sql<Endpoint[]>`${select(sql, owner)} and endpoint.id = ${id}`
  return endpoint ?? null
}

/** Locks an endpoint until the transaction ends; null when there is none. */
export async function lockEndpoint(tx: Transaction, owner: EndpointOwner, id: number) {
  const [endpoint] = await tx<{ id: number; status: 'active' | 'paused'; unfinished: number }[]>`
    select id, status, unfinished from webhook_endpoints as endpoint
    where ${isOwn(tx, owner)} and endpoint.id = ${id}
    for update`
  return endpoint ?? null
}

export async function hasPartner(sql: Queryable, accountId: number, partnerId: number): Promise<boolean> {
  const { count } = await sql`select from partners where account_id = ${accountId} and id = ${partnerId}`
  return count === 1
}

/**
 * The number of endpoints of the partner, or, if `partnerId` is null, of the account without those of its
 * partners.
 */
export async function countEndpoints(sql: Queryable, { accountId, partnerId }: EndpointOwner) {
  const [row] = await sql<[{ endpoints: number }]>`
    select count(*) as endpoints from webhook_endpoints
    where account_id = ${accountId} and partner_id is not distinct from ${partnerId} and status <> 'deleted'`
  return row.endpoints
}

/** Makes an endpoint. It gets only events that are numbered from now on. Returns its id. */
export async function insertEndpoint(
  tx: Transaction,
  { accountId, partnerId }: EndpointOwner,
  { url, eventTypes, description, body, email }: EndpointFields,
): Promise<number> {
  const [made] = await tx<[{ id: number }]>`
    insert into webhook_endpoints (account_id, partner_id, url, event_types, description, body, email, position,
      highest_position)
    select ${accountId}, ${partnerId}, ${url}, ${eventTypes}, ${description}, ${body}, ${email}, log.end, log.end
    from (
      select coalesce((select last_number from event_counters where account_id = ${accountId}), 0) as end
    ) as log
    returning id`
  return made.id
}

export async function updateEndpoint(
  tx: Transaction,
  accountId: number,
  id: number,
  { url, eventTypes, description, body, email }: EndpointFields,
): Promise<void> {
  await tx`
    update webhook_endpoints set url = ${url}, event_types = ${eventTypes}, description = ${description},
      body = ${body}, email = ${email}, updated_at = now()
    where account_id = ${accountId} and id = ${id}`
}

export async function pauseEndpoint(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update webhook_endpoints set status = 'paused', pause_reason = 'by-hand', paused_at = app_now(), updated_at = now()
    where account_id = ${accountId} and id = ${id} and status = 'active'`
}

/**
 * Resumes a paused endpoint at its position: its unfinished deliveries are due now, as if they had never been
 * tried.
 */
export async function resumeEndpoint(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update webhook_endpoints set status = 'active', pause_reason = null, paused_at = null, failing_since = null,
      failures = 0, updated_at = now()
    where account_id = ${accountId} and id = ${id}`
  await tx`
    update webhook_deliveries set tries = 0, first_tried_at = null,
      next_try_at = case when lease is null then app_now() else next_try_at end
    where account_id = ${accountId} and endpoint_id = ${id} and status = 'pending'`
}

/**
 * Marks an endpoint as deleted, and deletes its secrets. deleteOldDeliveries() later deletes its deliveries and its
 * row.
 */
export async function markDeleted(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`delete from webhook_secrets where account_id = ${accountId} and endpoint_id = ${id}`
  await tx`
    update webhook_endpoints set status = 'deleted', pause_reason = null, paused_at = null, url = '', email = null,
      sealed_headers = null, description = '', updated_at = now()
    where account_id = ${accountId} and id = ${id}`
}

export async function insertWebhookSecret(
  tx: Transaction,
  { accountId, endpointId, sealed }: { accountId: number; endpointId: number; sealed: Buffer },
): Promise<number> {
  const [made] = await tx<[{ id: number }]>`
    insert into webhook_secrets (account_id, endpoint_id, sealed) values (${accountId}, ${endpointId}, ${sealed})
    returning id`
  return made.id
}

/** False if the endpoint has no secret with this id. */
export async function deleteWebhookSecret(
  tx: Transaction,
  { accountId, endpointId, id }: { accountId: number; endpointId: number; id: number },
): Promise<boolean> {
  const { count } = await tx`
    delete from webhook_secrets
    where account_id = ${accountId} and endpoint_id = ${endpointId} and id = ${id}`
  return count === 1
}

/** @param sealed the encrypted headers; null if the endpoint has none. */
export async function updateSealedHeaders(
  tx: Transaction,
  { accountId, endpointId, sealed }: { accountId: number; endpointId: number; sealed: Buffer | null },
): Promise<void> {
  await tx`
    update webhook_endpoints set sealed_headers = ${sealed}
    where account_id = ${accountId} and id = ${endpointId}`
}

export type SealedSecret = {
  accountId: number
  endpointId: number
  id: number
  sealed: Buffer
  /** The encrypted headers of the endpoint; null if it has none. */
  sealedHeaders: Buffer | null
}

/** The secrets of these endpoints, by endpoint; the newest secret of an endpoint comes first. */
export function listSealed(
  sql: Queryable,
  endpoints: readonly { accountId: number; endpointId: number }[],
): Promise<SealedSecret[]> {
  return sql<SealedSecret[]>`
    select secret.account_id as "accountId", secret.endpoint_id as "endpointId", secret.id, sealed,
      sealed_headers as "sealedHeaders"
    from unnest(
      ${endpoints.map(({ accountId }) => accountId)}::bigint[],
      ${endpoints.map(({ endpointId }) => endpointId)}::bigint[]
    ) as wanted (account_id, endpoint_id)
    join webhook_endpoints as endpoint
      on endpoint.account_id = wanted.account_id and endpoint.id = wanted.endpoint_id
    join webhook_secrets as secret
      on secret.account_id = wanted.account_id and secret.endpoint_id = wanted.endpoint_id
    order by secret.account_id, secret.endpoint_id, secret.id desc`
}

export async function updateSealedSecret(
  tx: Transaction,
  { accountId, endpointId, id, sealed }: Omit<SealedSecret, 'sealedHeaders'>,
): Promise<void> {
  await tx`
    update webhook_secrets set sealed = ${sealed}
    where account_id = ${accountId} and endpoint_id = ${endpointId} and id = ${id}`
}
