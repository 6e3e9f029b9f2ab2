/**
 * Erases the personal data of a customer (GDPR, article 17). Bookings keep their reference, places, price,
 * time and status, so every counter, total and audit stays the same. An erasure commits after each group of
 * bookings. After an interruption it can be repeated. For the groups that were committed before the
 * interruption, a worker later erases the customer in the e-mails and stored responses about these bookings.
 */

import { isDeepStrictEqual } from 'node:util'
import { forEachAccount } from '../accounts/each-account.ts'
import type { Actor } from '../events/actor.ts'
import { appendEvents } from '../events/append.ts'
import { problems } from '../http/problems.ts'
import { bookingEvent } from '../inventory/service.ts'
import { removeMessages } from '../messaging/emails/files.ts'
import { hashAddress } from '../platform/crypto/address-hash.ts'
import type { Sql, Transaction } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import * as erasures from './erasure-queries.ts'
import { type CustomerIdentifier, eraseFromResponse, eraseResponse } from './model.ts'
import * as queries from './queries.ts'
import { eraseReservationsOf } from './reservation-queries.ts'
import * as responses from './response-queries.ts'
import * as tickets from './ticket-queries.ts'

export {
  type CustomerBookings,
  listCustomerBookings,
} from './queries.ts'

const pieceSize = 100

export type EraseRequest = {
  accountId: number
  who: CustomerIdentifier
  /**
   * Whether to also erase the customer of confirmed bookings that are not over yet. These bookings stay
   * confirmed, with `erasedName` as the name.
   */
  includeUpcoming: boolean
  by: { cause: 'command' } | { cause: 'dashboard'; userId: number }
  /** The folder in which e-mails are stored as files while no mail server is configured. */
  dataDir: string
}

/**
 * Lists the bookings to erase.
 * @throws Problem customer-expected, with the bookings that prevent the erasure.
 */
export async function checkErasable(
  sql: Sql,
  { accountId, who, includeUpcoming }: Pick<EraseRequest, 'accountId' | 'who' | 'includeUpcoming'>,
): Promise<queries.CustomerBookings[]> {
  const bookings = await queries.listCustomerBookings(sql, accountId, who)
  const inTheWay = bookings.filter(
    ({ phase }) => phase === 'pending' || (phase === 'upcoming' && !includeUpcoming),
  )
  if (inTheWay.length > 0) throw problems.customerExpected(inTheWay.map(({ reference }) => reference))
  return bookings
}

/**
 * Erases a customer in all their bookings and elsewhere. Safe to repeat at any time.
 * @returns how much was erased. `finishedAt` is null if an e-mail to the customer was being sent: a worker
 * erases its data later.
 * @throws as checkErasable().
 */
export async function eraseCustomer(sql: Sql, request: EraseRequest): Promise<erasures.ErasureCounts> {
  const { accountId, who, by, dataDir, includeUpcoming } = request
  await checkErasable(sql, request)
  const erasure = { accountId, id: await erasures.insertErasure(sql, accountId, by) }
  const actor: Actor = 'userId' in by ? { kind: 'user', id: by.userId } : { kind: 'service' }
  const some = { includeUpcoming, limit: pieceSize }
  const erasePiece = () =>
    runAgain(sql, async (tx) => {
      const ids = await queries.lockErasable(tx, accountId, who, some)
      await eraseLocked(tx, erasure, ids, { actor, showUpdate: true })
      return ids.length
    })
  // Erased bookings are not found again, so this loop ends.
  while ((await erasePiece()) > 0);
  await eraseContacts(sql, erasure, who, actor)
  if (who.email) {
    await removeMessages(dataDir, await queries.deleteTestsTo(sql, accountId, who.email))
    await queries.clearUses(sql, accountId, hashAddress(who.email))
  }
  await runAgain(sql, async (tx) => {
    const found = await responses.lockResponsesOf(tx, accountId, who)
    await clearResponses(tx, erasure, found, (response) => eraseFromResponse(response, who))
  })
  for (const unfinished of await erasures.listUnfinished(sql, accountId))
    await clearRest(sql, unfinished, dataDir)
  return erasures.readErasure(sql, erasure)
}

/**
 * Erases a customer's contact from tickets in bookings of other customers, including bookings that are not
 * over: they do not need the contact, because nothing is sent to it.
 */
async function eraseContacts(
  sql: Sql,
  erasure: erasures.Erasure,
  who: CustomerIdentifier,
  actor: Actor,
): Promise<void> {
  const { accountId } = erasure
  const erasePiece = () =>
    runAgain(sql, async (tx) => {
      const bookings = await tickets.lockBookingsOfContact(tx, accountId, who, pieceSize)
      const ids = bookings.map(({ id }) => id)
      const erased = await tickets.eraseContacts(tx, accountId, who, ids)
      await queries.deleteWords(tx, accountId, ids)
      await erasures.countCleared(tx, erasure, { tickets: erased.length })
      const events = erased.map(({ bookingId, number }) => {
        const booking = bookings.find(({ id }) => id === bookingId)!
        const details = { Ticket: number, Fields: ['Contact'] }
        return bookingEvent({ accountId, actor }, booking, { action: 'ticket-changed', details })
      })
      await appendEvents(tx, events)
      return ids.length
    })
  while ((await erasePiece()) > 0);
}

/**
 * Erases the customer of locked bookings, and appends an event to the history of each booking.
 * @param showUpdate whether UpdatedAt of the bookings changes.
 */
export async function eraseLocked(
  tx: Transaction,
  erasure: erasures.Erasure,
  bookingIds: number[],
  { actor, showUpdate }: { actor: Actor; showUpdate: boolean },
): Promise<void> {
  if (bookingIds.length === 0) return
  const erased = await queries.eraseBookings(tx, erasure, bookingIds, { showUpdate })
  const ticketed = erased.filter(({ hasTickets }) => hasTickets).map(({ id }) => id)
  if (ticketed.length > 0) {
    await tickets.eraseTicketsOf(tx, erasure.accountId, ticketed)
    // Bookings without tickets have no reservation: a reservation has tickets from the beginning.
    await eraseReservationsOf(tx, erasure.accountId, ticketed)
  }
  const by = { accountId: erasure.accountId, actor }
  await appendEvents(
    tx,
    erased.map((booking) => bookingEvent(by, booking, { action: 'customer-erased' })),
  )
}

/**
 * Finishes the erasures, of all accounts, that were interrupted or found an e-mail that a worker was sending:
 * clears the e-mails and stored responses about their bookings.
 * @returns how many it finished.
 * @throws as forEachAccount().
 */
export async function finishErasures(sql: Sql, dataDir: string): Promise<number> {
  return forEachAccount(await erasures.listUnfinished(sql, null), {
    work: async (erasure) => ((await clearRest(sql, erasure, dataDir)) ? 1 : 0),
  })
}

/**
 * Clears e-mails and stored responses about the bookings of an erasure. Call it after the bookings have been
 * erased and committed. A transaction that copies the customer's data locks the booking first. So every
 * transaction that read the old data is over by now, and the rows that it wrote are visible here.
 * @returns whether the erasure is finished; false while an e-mail is being sent or bookings were added.
 */
async function clearRest(sql: Sql, erasure: erasures.UnfinishedErasure, dataDir: string): Promise<boolean> {
  let busy = 0
  for (let after = 0; ; ) {
    const ids = await queries.listErased(sql, erasure, { after, limit: pieceSize })
    if (ids.length === 0) break
    after = ids.at(-1)!
    const emails = await runAgain(sql, (tx) => clearEmails(tx, erasure, ids))
    await removeMessages(dataDir, emails.messageIds)
    busy += emails.busy
  }
  await runAgain(sql, async (tx) =>
    clearResponses(tx, erasure, await responses.lockResponses(tx, erasure), eraseResponse),
  )
  return busy === 0 && erasures.endErasure(sql, erasure)
}

async function clearEmails(tx: Transaction, erasure: erasures.Erasure, bookingIds: number[]) {
  const emails = await queries.clearEmails(tx, erasure.accountId, bookingIds)
  await erasures.countCleared(tx, erasure, { emails: emails.cleared })
  return emails
}

/** Replaces the locked stored responses that `erase` changes, and counts them. */
async function clearResponses(
  tx: Transaction,
  erasure: erasures.Erasure,
  locked: readonly responses.ErasableResponse[],
  erase: (response: unknown) => unknown,
): Promise<void> {
  const cleared = locked.flatMap((answer) => {
    const response = erase(answer.response)
    return isDeepStrictEqual(response, answer.response) ? [] : [{ ...answer, response }]
  })
  await responses.updateResponses(tx, erasure.accountId, cleared)
  await erasures.countCleared(tx, erasure, { answers: cleared.length })
}
