/** Use cases of the outbox: looking at it, trying again, trying out words, and wanting no more. */
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { renderLiquid, TemplateError } from '../../platform/text/liquid.ts'
import { textToHtml } from '../../platform/text/text-to-html.ts'
import { findAccountName, findBookingFacts } from './facts.ts'
import { noteEmails } from './left.ts'
import type { OptOut } from './links.ts'
import { toBody, toHeader } from './model.ts'
import * as queries from './queries.ts'
import { previewToleranceMs, type RenderBudget } from './render-budget.ts'
import { sampleBooking, sampleTicketsLink } from './sample.ts'
import type { EmailsQuery } from './schemas.ts'
import { type Template, variablesOf } from './words.ts'

export {
  type EmailRow,
  findEmail,
  findOverdue,
  findTestMessage,
  type Overdue,
  sumOverdue,
} from './queries.ts'

/** What the words of a workflow can be made of, as a template names it: `customer.first_name`. */
export const templateVariables: readonly string[] = Object.entries(
  variablesOf('', sampleBooking, ''),
).flatMap(([name, value]) =>
  typeof value === 'object' ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
)

/**
 * E-mails of an account, newest first. `next` is where the list goes on, if it does.
 * @throws Problem validation for a cursor that makes no sense.
 */
export async function browseEmails(
  sql: Sql,
  accountId: number,
  { Status, Kind, BookingReference, Limit, Cursor }: EmailsQuery,
): Promise<{ emails: queries.EmailRow[]; next: string | null }> {
  const [before] = readPosition(Cursor, ['number']) ?? [null]
  const filter = { status: Status, kind: Kind, bookingReference: BookingReference, before }
  const { rows, next } = await readPage(
    Limit,
    (limit) => queries.listEmails(sql, accountId, { ...filter, limit }),
    ({ id }) => [id],
  )
  return { emails: rows, next }
}

/**
 * Queues an e-mail that failed anew, with the Message-ID it had.
 * @throws Problem not-found, or email-not-failed with its status.
 */
export async function retryEmail(tx: Transaction, accountId: number, id: number): Promise<queries.EmailRow> {
  const queued = await queries.requeue(tx, accountId, id)
  noteEmails(tx)
  const email = await queries.findEmail(tx, accountId, id)
  if (!email) throw problems.emailNotFound()
  if (!queued) throw problems.emailNotFailed(email.status)
  return email
}

export type WordsPreview = { Subject: string; Text: string; HTML: string }

/**
 * What words come to with a booking, or with a sample where none is named; a template that cannot be rendered is
 * a fault that names its field.
 * @throws Problem validation when the account has no booking of this reference; rate-limited while the account's
 *   templates have taken more than their share of the time.
 */
export async function previewWords(
  tx: Sql | Transaction,
  accountId: number,
  { subject, body }: Template,
  { reference, renders }: { reference: string | null; renders: RenderBudget },
): Promise<{ preview: WordsPreview; faults: FieldError[] }> {
  const booking = reference === null ? sampleBooking : await requireBooking(tx, accountId, reference)
  const values = variablesOf(await findAccountName(tx, accountId), booking, sampleTicketsLink)
  return renders.take(accountId, (owedMs) => {
    if (owedMs > previewToleranceMs) throw problems.templatesTakeLong(Math.ceil(owedMs / 1000))
    const faults: FieldError[] = []
    const render = (field: string, template: string) => {
      try {
        return renderLiquid(template, values)
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error
        faults.push({ field, message: `cannot be rendered: ${error.message}` })
        return ''
      }
    }
    const Subject = toHeader(render('Subject', subject))
    const Text = toBody(render('Body', body))
    return { preview: { Subject, Text, HTML: textToHtml(Subject, Text) }, faults }
  })
}

/** Most test e-mails of an account in a day (UTC): they go to any address, from the address of the service. */
const mostTestEmails = 50

/**
 * Leaves a test of a workflow to be sent.
 * @throws Problem validation for an unknown booking, rate-limited past what the account may send in a day.
 */
export async function queueTest(
  tx: Transaction,
  accountId: number,
  { workflowId, reference, to }: { workflowId: number; reference: string | null; to: string },
): Promise<queries.EmailRow> {
  const bookingId = reference === null ? null : (await requireBooking(tx, accountId, reference)).id
  if (!(await queries.countTestEmail(tx, accountId, mostTestEmails)))
    throw problems.tooManyTests(mostTestEmails, await queries.findSecondsOfDay(tx))
  const id = await queries.insertTestEmail(tx, accountId, { workflowId, bookingId, to })
  noteEmails(tx)
  return (await queries.findEmail(tx, accountId, id))!
}

async function requireBooking(tx: Sql | Transaction, accountId: number, reference: string) {
  const booking = await findBookingFacts(tx, accountId, { reference })
  if (!booking)
    throw problems.validation([
      { field: 'BookingReference', message: 'is not a booking of this account on a timeslot' },
    ])
  return booking
}

/** Keeps what is not about a booking to come from an address; again changes nothing. */
export function optOut(sql: Sql, { accountId, hash }: OptOut): Promise<void> {
  return queries.insertOptOut(sql, accountId, hash)
}
