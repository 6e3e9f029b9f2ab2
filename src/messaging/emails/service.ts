/** Use cases of the outbox: list and retry e-mails, preview and test templates, and unsubscribe. */
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { checkVariables, renderLiquid, TemplateError } from '../../platform/text/liquid.ts'
import { findSeller } from '../../sales/business-details/service.ts'
import { findBookingFacts } from './facts.ts'
import { inCustomerLanguage } from './in-language.ts'
import type { OptOut } from './links.ts'
import { type EmailRow, findEmail, listEmails } from './list-queries.ts'
import { emailHtml, lookOf } from './look.ts'
import { toBody, toHeader } from './model.ts'
import * as queries from './queries.ts'
import { noteQueued } from './queued.ts'
import { previewToleranceMs, type RenderBudget } from './render-budget.ts'
import { sampleBooking, sampleTicketsLink, withExampleChange } from './sample.ts'
import type { EmailsQuery } from './schemas.ts'
import { type Template, valueWordsOf, variablesOf } from './variables.ts'

export {
  type EmailRow,
  findEmail,
  findOverdue,
  findTestMessage,
  type Overdue,
  sumOverdue,
} from './list-queries.ts'

/**
 * E-mails of an account, newest first. `next` is the cursor of the next page; null if there is none.
 * @throws Problem validation for an invalid cursor.
 */
export async function browseEmails(
  sql: Sql,
  accountId: number,
  { Status, Kind, BookingReference, Limit, Cursor }: EmailsQuery,
): Promise<{ emails: EmailRow[]; next: string | null }> {
  const [before] = readPosition(Cursor, ['number']) ?? [null]
  const filter = { status: Status, kind: Kind, bookingReference: BookingReference, before }
  const { rows, next } = await readPage(
    Limit,
    (limit) => listEmails(sql, accountId, { ...filter, limit }),
    ({ id }) => [id],
  )
  return { emails: rows, next }
}

/**
 * Queues a failed e-mail again, with the same Message-ID.
 * @throws Problem not-found, or email-not-failed with its status.
 */
export async function retryEmail(tx: Transaction, accountId: number, id: number): Promise<EmailRow> {
  const queued = await queries.requeue(tx, accountId, id)
  noteQueued(tx)
  const email = await findEmail(tx, accountId, id)
  if (!email) throw problems.emailNotFound()
  if (!queued) throw problems.emailNotFailed(email.status)
  return email
}

type PreviewOptions = {
  /** Null for a made-up booking. */
  reference: string | null
  renders: RenderBudget
  /** The URL of the service, to which the path of the logo is appended. */
  publicUrl?: string
  /**
   * Whether the templates are to be saved or sent. Then variables are also checked in branches that are not taken,
   * and the subject must not be empty.
   */
  isForSaving?: boolean
}

export type WordsPreview = { Subject: string; Text: string; HTML: string }

/**
 * Renders templates with a booking, or with a sample if `reference` is null. `faults` has an error for each
 * template that cannot be rendered, or whose check fails.
 * @throws Problem validation if the account has no booking with this reference; rate-limited while the
 * account's templates have taken more than their share of the time.
 */
export async function previewWords(
  tx: Sql | Transaction,
  accountId: number,
  { subject, body }: Template,
  { reference, renders, publicUrl = '', isForSaving = false }: PreviewOptions,
): Promise<{ preview: WordsPreview; faults: FieldError[] }> {
  const named =
    reference === null ? sampleBooking : withExampleChange(await requireBooking(tx, accountId, reference))
  const seller = await findSeller(tx, accountId)
  const { t, booking } = await inCustomerLanguage(tx, accountId, seller, named)
  const values = variablesOf({
    t,
    accountName: seller.name,
    booking,
    ticketsLink: sampleTicketsLink,
  })
  return renders.take(accountId, (owedMs) => {
    if (owedMs > previewToleranceMs) throw problems.templatesTakeLong(Math.ceil(owedMs / 1000))
    const faults: FieldError[] = []
    const render = (field: string, template: string) => {
      try {
        const text = renderLiquid(template, values, valueWordsOf(t))
        if (isForSaving) checkVariables(template, values)
        return text
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error
        faults.push({ field, message: `cannot be rendered: ${error.message}` })
        return ''
      }
    }
    const Subject = toHeader(render('Subject', subject))
    if (isForSaving && Subject === '' && faults.length === 0)
      faults.push({ field: 'Subject', message: 'must not be empty when it is filled in' })
    const Text = toBody(render('Body', body))
    const action = { url: sampleTicketsLink, label: t.say('email.tickets.button') }
    const HTML = emailHtml(lookOf(seller, t, publicUrl), { subject: Subject, text: Text, action })
    return { preview: { Subject, Text, HTML }, faults }
  })
}

/**
 * The maximum number of test e-mails of an account in a day (UTC). The limit prevents spam, because a test
 * may go to any address.
 */
const maxTestEmails = 50

/**
 * Queues a test of a workflow.
 * @throws Problem validation for an unknown booking, rate-limited above the daily limit of the account.
 */
export async function queueTest(
  tx: Transaction,
  accountId: number,
  { workflowId, reference, to }: { workflowId: number; reference: string | null; to: string },
): Promise<EmailRow> {
  const bookingId = reference === null ? null : (await requireBooking(tx, accountId, reference)).id
  if (!(await queries.countTestEmail(tx, accountId, maxTestEmails)))
    throw problems.tooManyTests(maxTestEmails, await queries.findSecondsUntilMidnight(tx))
  const id = await queries.insertTestEmail(tx, accountId, { workflowId, bookingId, to })
  noteQueued(tx)
  return (await findEmail(tx, accountId, id))!
}

async function requireBooking(tx: Sql | Transaction, accountId: number, reference: string) {
  const booking = await findBookingFacts(tx, accountId, { reference })
  if (!booking)
    throw problems.validation([
      { field: 'BookingReference', message: 'is not a booking of this account on a timeslot' },
    ])
  return booking
}

/** Makes the account send no more e-mails about ended bookings to an address. Idempotent. */
export function optOut(sql: Sql, { accountId, hash }: OptOut): Promise<void> {
  return queries.insertOptOut(sql, accountId, hash)
}
