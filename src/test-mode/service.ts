/** Use cases of test mode that begin with a live account. */
import { testAccountOf } from '../accounts/model.ts'
import { createKey, insertPartner, type KeyRequest } from '../accounts/service.ts'
import type { Sql, Transaction } from '../platform/postgres/database.ts'
import { atOneInstant, openTestAccount } from './following.ts'

/**
 * Makes a test key. It belongs to the test account of the live account in the request, so it makes only test
 * bookings. If there is no test account, one is made. A new partner is made in the live account and copied,
 * so that it has the same id in both accounts.
 * @param request names the live account.
 * @returns the token, which is not stored and cannot be shown again.
 */
export function createTestKey(sql: Sql, request: KeyRequest): Promise<string> {
  return atOneInstant(sql, (tx) => createTestKeyWithin(tx, request))
}

/** Makes the test account of a live one, unless there is one. */
export function openTestMode(sql: Sql, liveId: number): Promise<void> {
  return atOneInstant(sql, (tx) => openTestAccount(tx, liveId))
}

/**
 * Like createTestKey(), in the transaction of the caller. Unless the test account exists already, the
 * transaction must see one instant (repeatable read).
 */
export async function createTestKeyWithin(tx: Transaction, request: KeyRequest): Promise<string> {
  const { accountId, partner } = request
  if (partner !== null) await insertPartner(tx, accountId, partner)
  await openTestAccount(tx, accountId)
  return createKey(tx, { ...request, accountId: testAccountOf(accountId) })
}
