/** Use cases of messages: the operator writes to all bookings of a timeslot, without closing it. */
import { lockAccount } from '../../accounts/service.ts'
import { getTimeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { Problem, problems } from '../../http/problems.ts'
import { bookingEvent } from '../../inventory/service.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { findSeller } from '../../sales/business-details/service.ts'
import { findBookingFacts } from '../emails/facts.ts'
import { inCustomerLanguage } from '../emails/in-language.ts'
import { type PreviewedEmail, previewEmail } from '../emails/previewing.ts'
import { noteQueued } from '../emails/queued.ts'
import type { RenderBudget } from '../emails/render-budget.ts'
import { previewWords } from '../emails/service.ts'
import type { Template } from '../emails/variables.ts'
import * as queries from './queries.ts'

export { listSentToAll, type MessageRecipient, type SentToAll } from './queries.ts'

/**
 * The maximum number of bookings that are listed. Further bookings get the message too, and `emailed` counts
 * them.
 */
const maxListed = 2000
/**
 * The e-mails of messages that an account may send in 24 hours, so that a stolen session cannot be used for
 * mass mailing.
 */
const maxInDay = 10_000

export type MessageRecipients = {
  /** The bookings whose customers get the message by e-mail. */
  written: queries.MessageRecipient[]
  /** The bookings whose customers get no e-mail. */
  others: queries.MessageRecipient[]
  /** How many bookings get the message by e-mail, including those that the lists leave out. */
  emailed: number
  /** Whether the lists leave out bookings. */
  isCut: boolean
  /** How many parties get no message, because their places are only held or they are on the waitlist. */
  unconfirmed: number
}

/**
 * Lists the confirmed bookings of a timeslot that get a message by e-mail, and those that do not, because
 * they have no address or a reseller notifies their customers.
 */
export async function listRecipients(
  sql: Queryable,
  accountId: number,
  timeslotId: number,
): Promise<MessageRecipients> {
  const found = await queries.listRecipients(sql, accountId, { timeslotId, limit: maxListed + 1 })
  const isTruncated = found.length > maxListed
  const all = found.slice(0, maxListed)
  const isWritten = ({ hasEmail, isNotifiedByReseller }: queries.MessageRecipient) =>
    hasEmail && !isNotifiedByReseller
  const emailRecipients = all.filter(isWritten)
  const emailed = isTruncated
    ? await queries.countEmailed(sql, accountId, timeslotId)
    : emailRecipients.length
  const unconfirmed = await queries.countUnconfirmed(sql, accountId, timeslotId)
  return {
    written: emailRecipients,
    others: all.filter((one) => !isWritten(one)),
    emailed,
    isCut: isTruncated,
    unconfirmed,
  }
}

export type TimeslotMessage = { timeslotId: number; template: Template; renders: RenderBudget }

/**
 * The message for the first recipient; null when there is none.
 * @throws Problem validation for templates that cannot be rendered; rate-limited as previewWords().
 */
export async function previewMessage(
  sql: Sql | Transaction,
  accountId: number,
  { timeslotId, template, renders }: TimeslotMessage,
): Promise<(PreviewedEmail & { reference: string }) | null> {
  await checkTemplate(sql, accountId, { template, renders })
  const [first] = (await listRecipients(sql, accountId, timeslotId)).written
  const booking = first && (await findBookingFacts(sql, accountId, { id: first.bookingId }))
  if (!booking) return null
  const seller = await findSeller(sql, accountId)
  const about = {
    ...(await inCustomerLanguage(sql, accountId, seller, booking)),
    accountName: seller.name,
    renders,
  }
  const shown = await previewEmail(accountId, template, about)
  return { ...shown, reference: booking.reference }
}

/** The number of bookings whose customers get an e-mail, and the references of the others. */
export type SentMessage = { timeslotId: number; emailed: number; untold: string[] }

/**
 * Queues an e-mail for each confirmed booking of a timeslot, except bookings without an address and bookings
 * whose reseller notifies its customers itself. The text is rendered when the e-mail is sent. The e-mail is
 * dropped if the booking has been cancelled or moved before that.
 * @throws Problem not-found; validation for templates that cannot be rendered; rate-limited as
 * previewWords(), and above the daily limit of the account.
 */
export async function sendMessage(
  tx: Transaction,
  { accountId, actor }: Authorship,
  { timeslotId, template, renders }: TimeslotMessage,
): Promise<SentMessage> {
  await getTimeslot(tx, accountId, timeslotId)
  await checkTemplate(tx, accountId, { template, renders })
  // If two messages are sent at the same time, the lock makes the second request count the e-mails of both.
  await lockAccount(tx, accountId)
  const { emailed, others } = await listRecipients(tx, accountId, timeslotId)
  const seconds = await queries.findMessageWait(tx, accountId, { more: emailed, most: maxInDay })
  if (seconds > 0) throw tooManyMessages(seconds)
  const words = { TimeslotID: timeslotId, Subject: template.subject, Message: template.body }
  const bookings = await queries.insertMessages(tx, accountId, words)
  await appendEvents(
    tx,
    bookings.map((booking) => bookingEvent({ accountId, actor }, booking, { action: 'messaged' })),
  )
  if (bookings.length > 0) noteQueued(tx)
  return { timeslotId, emailed: bookings.length, untold: others.map(({ reference }) => reference) }
}

function tooManyMessages(seconds: number): Problem {
  const detail = `An account may send ${maxInDay} e-mails of messages in 24 hours, and this message would exceed that.`
  return new Problem('rate-limited', detail, { headers: { 'retry-after': String(seconds) } })
}

async function checkTemplate(
  tx: Sql | Transaction,
  accountId: number,
  { template, renders }: Pick<TimeslotMessage, 'template' | 'renders'>,
): Promise<void> {
  const options = { reference: null, renders, isForSaving: true }
  const { faults } = await previewWords(tx, accountId, template, options)
  if (faults.length > 0) throw problems.validation(faults)
}
