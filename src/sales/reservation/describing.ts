/** Writes the data that a reseller sends about a locked reservation or booking, apart from its places. */
import type { Actor } from '../../events/actor.ts'
import { type Booking, changeBookings } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { type Answers, toStoredAnswers } from '../booking/answers.ts'
import { checkQuestions } from '../booking/changes/describing.ts'
import { readDescription, updateDescriptions } from '../booking/changes/queries.ts'
import { changedData, type ResellerData, type TicketMatch } from './model.ts'
import * as queries from './queries.ts'

/** Writes the given references and contacts of kept tickets. */
export async function writeTicketDetails(
  tx: Transaction,
  booking: Booking,
  { kept }: Pick<TicketMatch, 'kept'>,
): Promise<void> {
  const given = kept
    .filter(({ item }) => item.contact !== undefined || item.resellerReference !== undefined)
    .map(({ ticket: { number }, item: { contact, resellerReference } }) => {
      return {
        number,
        ...(contact && { contact }),
        ...(resellerReference !== undefined && { resellerReference }),
      }
    })
  if (given.length > 0) await queries.updateTicketDetails(tx, booking, given)
}

/** The data about a booking that a request gives. */
export type GivenDetails = queries.ResellerDetails & { answers?: Answers | undefined }

/** Writes the contact data, notes, reference, e-mail setting and answers. */
export async function writeDetails(
  tx: Transaction,
  booking: Booking,
  { resellerReference, notes, contact, emailReceipt, answers }: GivenDetails,
): Promise<void> {
  const { accountId, id: bookingId } = booking
  if (answers) await writeAnswers(tx, booking, answers)
  const given = { resellerReference, notes, contact, emailReceipt }
  if (Object.values(given).every((one) => one === undefined)) return
  await queries.updateDetails(tx, [{ accountId, bookingId, ...given }])
}

/**
 * Adds an entry to the history of a booking if the data that its reseller sent has changed.
 * @param options `before`: the data before the change. `onlyKept`: as for changedData().
 */
export async function noteChange(
  tx: Transaction,
  actor: Actor,
  booking: Booking,
  { before, onlyKept }: { before: ResellerData; onlyKept: boolean },
): Promise<void> {
  const after = await queries.readResellerData(tx, booking)
  const Fields = changedData(before, after, { onlyKept })
  if (Fields.length === 0) return
  await changeBookings(tx, actor, [{ booking, to: {}, action: 'customer-changed', details: { Fields } }])
}

async function writeAnswers(tx: Transaction, booking: Booking, answers: Answers): Promise<void> {
  const { accountId, id: bookingId, timeslotId } = booking
  const from = await readDescription(tx, accountId, bookingId)
  await checkQuestions(tx, accountId, timeslotId, answers, from.answers)
  await updateDescriptions(tx, accountId, [{ bookingId, ...from, answers: toStoredAnswers(answers) }])
}
