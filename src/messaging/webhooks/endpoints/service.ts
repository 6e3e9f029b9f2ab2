/** Use cases of webhook endpoints: making, changing, pausing and deleting them, and their secrets. */
import { lockAccount } from '../../../accounts/service.ts'
import { problems } from '../../../http/problems.ts'
import { requireVersion } from '../../../http/versions.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import type { FieldError } from '../../../platform/schema/validation.ts'
import { noteDeliveries } from '../wake-up.ts'
import { type EndpointOwner, typesFor } from './model.ts'
import * as queries from './queries.ts'
import { makeSecretOf, maxSecrets } from './secrets.ts'

export type { Endpoint, EndpointFields } from './queries.ts'
export { listEndpoints } from './queries.ts'

/**
 * The maximum number of endpoints of an account itself, and of each partner. The limits are needed because
 * each endpoint is compared with every event of its account.
 */
const maxOfAccount = 20
const maxOfPartner = 5

/** The settings of the service that creating and changing endpoints depends on. */
export type EndpointSettings = {
  /** The error message for a URL that must not be called; null if the URL is allowed. */
  urlFault: (url: string) => string | null
  /** Keys that encrypt secrets; null if none is configured. */
  secretKeys: string | readonly string[] | null
}

/**
 * The settings of an endpoint, from which its version is computed. The version leaves out the progress of the
 * endpoint, which changes with each event.
 */
export function settingsOf({
  url,
  eventTypes,
  description,
  body,
  email,
}: queries.EndpointFields): queries.EndpointFields {
  return { url, eventTypes, description, body, email }
}

/** @throws Problem not-found. */
export async function getEndpoint(sql: Sql | Transaction, owner: EndpointOwner, id: number) {
  const endpoint = await queries.findEndpoint(sql, owner, id)
  if (!endpoint) throw problems.webhookEndpointNotFound()
  return endpoint
}

/**
 * Makes an endpoint with one secret, and returns the endpoint and the secret. The endpoint gets only events
 * that are numbered from now on.
 * @throws Problem validation; account-limit-reached; unavailable if no key for encrypting secrets is
 * configured.
 */
export async function createEndpoint(
  tx: Transaction,
  owner: EndpointOwner,
  { fields, settings }: { fields: queries.EndpointFields; settings: EndpointSettings },
): Promise<{ endpoint: queries.Endpoint; secret: string }> {
  check(owner.partnerId, fields, settings)
  const { accountId, partnerId } = owner
  if (partnerId && !(await queries.hasPartner(tx, accountId, partnerId)))
    throw problems.validation([{ field: 'PartnerID', message: 'is not a partner of this account' }])
  await lockAccount(tx, accountId)
  const most = partnerId === null ? maxOfAccount : maxOfPartner
  if ((await queries.countEndpoints(tx, owner)) >= most)
    throw problems.accountLimitReached('webhook endpoints', most)
  const endpointId = await queries.insertEndpoint(tx, owner, fields)
  const { secret } = await makeSecretOf(tx, sealingKeys(settings), { accountId, endpointId })
  return { endpoint: await getEndpoint(tx, owner, endpointId), secret }
}

/**
 * Changes the given fields of an endpoint.
 * @param seen the version of settingsOf() that the caller has read, if it sends one.
 * @throws Problem not-found; edited-meanwhile; validation.
 */
export async function changeEndpoint(
  tx: Transaction,
  owner: EndpointOwner,
  {
    id,
    change,
    settings,
    seen,
  }: { id: number; change: Partial<queries.EndpointFields>; settings: EndpointSettings; seen?: string },
): Promise<queries.Endpoint> {
  await lockEndpoint(tx, owner, id)
  const existing = await getEndpoint(tx, owner, id)
  requireVersion(seen, settingsOf(existing))
  const fields = { ...settingsOf(existing), ...change }
  if (existing.body === 'octo' && fields.body !== 'octo')
    throw problems.validation([
      { field: 'Body', message: 'cannot be changed: the endpoint was made through OCTO' },
    ])
  check(existing.partnerId, fields, settings)
  await queries.updateEndpoint(tx, owner.accountId, id, fields)
  return getEndpoint(tx, owner, id)
}

/** Pauses an endpoint until it is resumed; its position stays. @throws Problem not-found. */
export async function pauseEndpoint(tx: Transaction, owner: EndpointOwner, id: number) {
  await lockEndpoint(tx, owner, id)
  await queries.pauseEndpoint(tx, owner.accountId, id)
  return getEndpoint(tx, owner, id)
}

/** Resumes a paused endpoint at its position. @throws Problem not-found. */
export async function resumeEndpoint(tx: Transaction, owner: EndpointOwner, id: number) {
  const { status } = await lockEndpoint(tx, owner, id)
  if (status === 'paused') {
    await queries.resumeEndpoint(tx, owner.accountId, id)
    noteDeliveries(tx, [owner.accountId])
  }
  return getEndpoint(tx, owner, id)
}

/** Deletes an endpoint, and returns it. A job deletes its deliveries later. @throws Problem not-found. */
export async function deleteEndpoint(
  tx: Transaction,
  owner: EndpointOwner,
  id: number,
): Promise<queries.Endpoint> {
  await lockEndpoint(tx, owner, id)
  const endpoint = await getEndpoint(tx, owner, id)
  await queries.markDeleted(tx, owner.accountId, id)
  return endpoint
}

/**
 * Adds a second secret to an endpoint. Deliveries are signed with both secrets until one is deleted.
 * @throws Problem not-found; webhook-secrets-full if the endpoint has two secrets already; unavailable if no
 * key for encrypting secrets is configured.
 */
export async function addSecret(
  tx: Transaction,
  owner: EndpointOwner,
  { id, settings }: { id: number; settings: EndpointSettings },
): Promise<{ endpoint: queries.Endpoint; secretId: number; secret: string }> {
  await lockEndpoint(tx, owner, id)
  const { secrets } = await getEndpoint(tx, owner, id)
  if (secrets.length >= maxSecrets) throw problems.webhookSecretsFull()
  const of = { accountId: owner.accountId, endpointId: id }
  const { id: secretId, secret } = await makeSecretOf(tx, sealingKeys(settings), of)
  return { endpoint: await getEndpoint(tx, owner, id), secretId, secret }
}

/**
 * @throws Problem not-found for the endpoint or the secret; webhook-secret-last for the only secret of the
 * endpoint.
 */
export async function deleteSecret(
  tx: Transaction,
  owner: EndpointOwner,
  { id, secretId }: { id: number; secretId: number },
): Promise<queries.Endpoint> {
  await lockEndpoint(tx, owner, id)
  const { secrets } = await getEndpoint(tx, owner, id)
  if (!secrets.some((secret) => secret.id === secretId)) throw problems.webhookSecretNotFound()
  if (secrets.length === 1) throw problems.webhookSecretLast()
  await queries.deleteWebhookSecret(tx, { accountId: owner.accountId, endpointId: id, id: secretId })
  return getEndpoint(tx, owner, id)
}

/** Locks an endpoint until the transaction ends. @throws Problem not-found. */
export async function lockEndpoint(tx: Transaction, owner: EndpointOwner, id: number) {
  const endpoint = await queries.lockEndpoint(tx, owner, id)
  if (!endpoint) throw problems.webhookEndpointNotFound()
  return endpoint
}

/** @throws Problem unavailable if no key for encrypting secrets is configured. */
export function sealingKeys({ secretKeys }: EndpointSettings) {
  if (secretKeys === null) throw problems.unavailable('Secrets cannot be stored: SECRET_KEY is not set.')
  return secretKeys
}

/** Checks what a schema cannot express. */
function check(
  partnerId: number | null,
  { url, eventTypes }: queries.EndpointFields,
  { urlFault }: EndpointSettings,
): void {
  const fault = urlFault(url)
  const known = typesFor(partnerId)
  const errors: FieldError[] = fault ? [{ field: 'URL', message: fault }] : []
  for (const [index, type] of eventTypes.entries()) {
    if (known.includes(type)) continue
    const message = partnerId === null ? 'is not a type of event' : 'is not a type of event that partners get'
    errors.push({ field: `EventTypes[${index}]`, message })
  }
  if (errors.length > 0) throw problems.validation(errors)
}
