/**
 * The secrets with which a provider signs its events: sealed at rest, shown once, at most two live for each account.
 */
import { isSlugOfEither } from '../../accounts/model.ts'
import { lockAccount } from '../../accounts/service.ts'
import { createSeal } from '../../platform/crypto/sealing.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { isSignedBy, makeSecret, parseSignature } from './model.ts'
import * as queries from './queries.ts'

const maxLive = 2

/**
 * Thrown if a change of secrets is not possible, or if there is no secret to sign with. The message is for
 * the user.
 */
export class SecretError extends Error {}

/** One key, or several: the first key seals and opens, the others only open. */
type SecretKeys = string | readonly string[]

function sealOf(secretKeys: SecretKeys) {
  return createSeal(secretKeys, 'payment-secrets')
}

/**
 * Makes a secret and stores it sealed.
 * @throws SecretError if the account already has two secrets that are not revoked, readable or not.
 */
export function createSecret(sql: Sql, secretKeys: SecretKeys, accountId: number): Promise<string> {
  return sql.begin((tx) => createSecretWithin(tx, secretKeys, accountId))
}

/** Like createSecret(), in the transaction of the caller. */
export async function createSecretWithin(
  tx: Transaction,
  secretKeys: SecretKeys,
  accountId: number,
): Promise<string> {
  await lockAccount(tx, accountId)
  const live = (await queries.listSecrets(tx, accountId)).filter(({ revokedAt }) => !revokedAt)
  if (live.length >= maxLive) throw new SecretError('two secrets are live already: revoke one first')
  const secret = makeSecret()
  await queries.insertSecret(tx, accountId, sealOf(secretKeys).seal(secret, String(accountId)))
  return secret
}

export type SecretRecord = {
  id: number
  /** `unreadable`: no key opens the secret, so events that are signed with it are refused. */
  status: 'live' | 'revoked' | 'unreadable'
  createdAt: Date
  revokedAt: Date | null
}

/** The account's secrets, newest first, without their values. */
export async function listSecrets(
  sql: Sql,
  secretKeys: SecretKeys,
  accountId: number,
): Promise<SecretRecord[]> {
  const seal = sealOf(secretKeys)
  const rows = await queries.listSecrets(sql, accountId)
  return rows.map(({ id, sealed, createdAt, revokedAt }) => {
    const readable = seal.open(sealed, String(accountId)) !== null
    return { id, status: revokedAt ? 'revoked' : readable ? 'live' : 'unreadable', createdAt, revokedAt }
  })
}

/**
 * Revokes a secret at once.
 * @returns false if it was revoked before.
 * @throws SecretError if the account has no secret with this id.
 */
export async function revokeSecret(sql: Sql, accountId: number, id: number): Promise<boolean> {
  const secret = await queries.revokeSecret(sql, accountId, id)
  if (!secret) throw new SecretError(`the account has no secret ${id}`)
  return secret.revokedNow
}

/**
 * Seals all secrets of an account with the first key, in one transaction, so that the other keys are no longer needed.
 * @returns how many secrets were sealed again, and how many live secrets no key opens. The latter do not change.
 */
export function resealSecrets(
  sql: Sql,
  secretKeys: readonly string[],
  accountId: number,
): Promise<{ resealed: number; unreadable: number }> {
  const [current, any] = [sealOf(secretKeys[0]!), sealOf(secretKeys)]
  return sql.begin(async (tx) => {
    await lockAccount(tx, accountId)
    let [resealed, unreadable] = [0, 0]
    for (const { id, sealed, revokedAt } of await queries.listSecrets(tx, accountId)) {
      if (current.open(sealed, String(accountId)) !== null) continue
      const secret = any.open(sealed, String(accountId))
      if (secret === null) unreadable += revokedAt ? 0 : 1
      else {
        await queries.updateSealed(tx, accountId, id, current.seal(secret, String(accountId)))
        resealed++
      }
    }
    return { resealed, unreadable }
  })
}

/** The secret to sign with. @throws SecretError when none is live and readable. */
export async function findNewestSecret(sql: Sql, secretKeys: SecretKeys, accountId: number): Promise<string> {
  const seal = sealOf(secretKeys)
  for (const { sealed, revokedAt } of await queries.listSecrets(sql, accountId)) {
    const secret = revokedAt ? null : seal.open(sealed, String(accountId))
    if (secret) return secret
  }
  throw new SecretError('the account has no live secret: make one with `payments secrets create`')
}

/**
 * The id of the account whose provider signed this body; null if the signature is not valid, or if its time
 * differs from the present time by more than five minutes. The present time is that of the database, because
 * the clock of a process may be wrong.
 */
export async function findSigner(
  sql: Sql,
  secretKeys: SecretKeys,
  { slug, header, body }: { slug: string; header: string; body: Buffer },
): Promise<number | null> {
  const signature = parseSignature(header)
  // The sender is not verified yet, so text that cannot be a slug must not cause a query.
  if (!signature || !isSlugOfEither(slug)) return null
  const seal = sealOf(secretKeys)
  const rows = await queries.listLiveSecrets(sql, slug)
  const [first] = rows
  if (!first) return null
  const secrets = rows.flatMap(({ accountId, sealed }) => seal.open(sealed, String(accountId)) ?? [])
  return isSignedBy(secrets, signature, body, first.now) ? first.accountId : null
}
