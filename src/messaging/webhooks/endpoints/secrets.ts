/** The secrets of webhook endpoints: sealed at rest, shown once, at most two live for each. */
import { createSeal } from '../../../platform/crypto/sealing.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { makeWebhookSecret } from './model.ts'
import * as queries from './queries.ts'

export const mostSecrets = 2

/** The key that seals, before those that only open. */
type SealingKeys = string | readonly string[]

function sealOf(secretKeys: SealingKeys) {
  return createSeal(secretKeys, 'webhook-secrets')
}

function ownerOf({ accountId, endpointId }: { accountId: number; endpointId: number }): string {
  return `${accountId} ${endpointId}`
}

/** Makes a secret of an endpoint, which is kept sealed only. */
export async function makeSecretOf(
  tx: Transaction,
  secretKeys: SealingKeys,
  endpoint: { accountId: number; endpointId: number },
): Promise<{ id: number; secret: string }> {
  const secret = makeWebhookSecret()
  const sealed = sealOf(secretKeys).seal(secret, ownerOf(endpoint))
  return { id: await queries.insertWebhookSecret(tx, { ...endpoint, sealed }), secret }
}

/** A secret of an endpoint, to be shown to whom it was made for; null when it was deleted, or no key opens it. */
export async function openSecret(
  sql: Sql,
  secretKeys: SealingKeys | null,
  secret: { accountId: number; endpointId: number; id: number },
): Promise<string | null> {
  const found = (await queries.listSealed(sql, [secret])).find(({ id }) => id === secret.id)
  return found && secretKeys ? sealOf(secretKeys).open(found.sealed, ownerOf(secret)) : null
}

/** Reads secrets of endpoints, by `account endpoint`; one that no key opens is left out. */
export function createSecretReader(secretKeys: readonly string[]) {
  const seal = secretKeys.length > 0 ? sealOf(secretKeys) : null
  return async (
    sql: Sql,
    endpoints: readonly { accountId: number; endpointId: number }[],
  ): Promise<Map<string, string[]>> => {
    const found = new Map<string, string[]>()
    if (!seal) return found
    for (const { sealed, ...endpoint } of await queries.listSealed(sql, endpoints)) {
      const secret = seal.open(sealed, ownerOf(endpoint))
      if (secret === null) continue
      const key = ownerOf(endpoint)
      found.set(key, [...(found.get(key) ?? []), secret])
    }
    return found
  }
}
export type SecretReader = ReturnType<typeof createSecretReader>

/**
 * Seals the secrets of an account's endpoints anew under the current key, all of them or none.
 * @returns how many were sealed under another, and how many none of the keys opens; those stay as they are.
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
    for (const row of rows) {
      const owner = ownerOf(row)
      if (current.open(row.sealed, owner) !== null) continue
      const secret = any.open(row.sealed, owner)
      if (secret === null) unreadable++
      else {
        await queries.updateSealedSecret(tx, { ...row, sealed: current.seal(secret, owner) })
        resealed++
      }
    }
    return { resealed, unreadable }
  })
}
