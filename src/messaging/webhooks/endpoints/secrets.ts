/**
 * The secrets of webhook endpoints. They are stored encrypted, and shown only in the response to the request
 * that creates them, also when this request is retried. An endpoint has at most two. The headers that are
 * sent to an endpoint are encrypted too, and never shown.
 */
import { createSeal } from '../../../platform/crypto/sealing.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { makeWebhookSecret } from './model.ts'
import * as queries from './queries.ts'

export const maxSecrets = 2

/** One key, or several: the first one encrypts, and all of them decrypt. */
type SealingKeys = string | readonly string[]

function sealOf(secretKeys: SealingKeys) {
  return createSeal(secretKeys, 'webhook-secrets')
}

type EndpointName = { accountId: number; endpointId: number }

function ownerOf({ accountId, endpointId }: EndpointName): string {
  return `${accountId} ${endpointId}`
}

function headersOwnerOf(endpoint: EndpointName): string {
  return `${ownerOf(endpoint)} headers`
}

/** HTTP headers by their names. */
export type OwnHeaders = Record<string, string>

/** Replaces the headers that are sent to an endpoint with each delivery. */
export async function setHeaders(
  tx: Transaction,
  secretKeys: SealingKeys,
  { headers, ...endpoint }: EndpointName & { headers: OwnHeaders },
): Promise<void> {
  const isNone = Object.keys(headers).length === 0
  const sealed = isNone ? null : sealOf(secretKeys).seal(JSON.stringify(headers), headersOwnerOf(endpoint))
  await queries.updateSealedHeaders(tx, { ...endpoint, sealed })
}

/** Makes a secret for an endpoint, stores it encrypted, and returns it with its id. */
export async function makeSecretOf(
  tx: Transaction,
  secretKeys: SealingKeys,
  endpoint: EndpointName,
): Promise<{ id: number; secret: string }> {
  const secret = makeWebhookSecret()
  const sealed = sealOf(secretKeys).seal(secret, ownerOf(endpoint))
  return { id: await queries.insertWebhookSecret(tx, { ...endpoint, sealed }), secret }
}

/** A secret of an endpoint, to show to its owner; null if it was deleted, or if no key decrypts it. */
export async function openSecret(
  sql: Sql,
  secretKeys: SealingKeys | null,
  secret: EndpointName & { id: number },
): Promise<string | null> {
  const found = (await queries.listSealed(sql, [secret])).find(({ id }) => id === secret.id)
  return found && secretKeys ? sealOf(secretKeys).open(found.sealed, ownerOf(secret)) : null
}

/** The data for sending to an endpoint: its secrets, newest first, and its own headers. */
export type OpenedSecrets = { secrets: string[]; headers: OwnHeaders }

/**
 * Returns a function that reads the secrets of endpoints, by `account endpoint`. It leaves out secrets that
 * no key decrypts. An endpoint is missing from the result if none of its secrets can be decrypted, or if its
 * headers cannot be decrypted.
 */
export function createSecretReader(secretKeys: readonly string[]) {
  const seal = secretKeys.length > 0 ? sealOf(secretKeys) : null
  return async (sql: Sql, endpoints: readonly EndpointName[]): Promise<Map<string, OpenedSecrets>> => {
    const found = new Map<string, OpenedSecrets>()
    if (!seal) return found
    for (const { sealed, sealedHeaders, ...endpoint } of await queries.listSealed(sql, endpoints)) {
      const key = ownerOf(endpoint)
      const secret = seal.open(sealed, key)
      const headers = sealedHeaders ? seal.open(sealedHeaders, headersOwnerOf(endpoint)) : '{}'
      if (secret === null || headers === null) continue
      const opened: OpenedSecrets = found.get(key) ?? { secrets: [], headers: JSON.parse(headers) }
      opened.secrets.push(secret)
      found.set(key, opened)
    }
    return found
  }
}
export type SecretReader = ReturnType<typeof createSecretReader>

/**
 * Encrypts the secrets and headers of an account's endpoints again with the current key, in one transaction.
 * @returns how many were encrypted again, and how many could not be decrypted with any key and are unchanged.
 */
export function resealWebhookSecrets(
  sql: Sql,
  secretKeys: readonly string[],
  accountId: number,
): Promise<{ resealed: number; unreadable: number }> {
  const [current, any] = [sealOf(secretKeys[0]!), sealOf(secretKeys)]
  return sql.begin(async (tx) => {
    const endpoints = await queries.listEndpoints(tx, { accountId, partnerId: null })
    const rows = await queries.listSealed(
      tx,
      endpoints.map(({ id }) => ({ accountId, endpointId: id })),
    )
    let [resealed, unreadable] = [0, 0]
    async function reseal(sealed: Buffer, owner: string, update: (sealed: Buffer) => Promise<void>) {
      if (current.open(sealed, owner) !== null) return
      const text = any.open(sealed, owner)
      if (text === null) unreadable++
      else {
        await update(current.seal(text, owner))
        resealed++
      }
    }
    for (const row of rows)
      await reseal(row.sealed, ownerOf(row), (sealed) => queries.updateSealedSecret(tx, { ...row, sealed }))
    const withHeaders = new Map(rows.map((row) => [row.endpointId, row]))
    for (const { endpointId, sealedHeaders } of withHeaders.values()) {
      const endpoint = { accountId, endpointId }
      if (sealedHeaders)
        await reseal(sealedHeaders, headersOwnerOf(endpoint), (sealed) =>
          queries.updateSealedHeaders(tx, { ...endpoint, sealed }),
        )
    }
    return { resealed, unreadable }
  })
}
