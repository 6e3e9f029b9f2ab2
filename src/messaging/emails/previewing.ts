/** What a change of a booking would tell its customer: the very words that workflows would send, before it is made. */
import type { Bought } from '../../inventory/service.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { TemplateError } from '../../platform/text/liquid.ts'
import * as facts from './facts.ts'
import { toBody, toHeader } from './model.ts'
import { previewToleranceMs, type RenderBudget } from './render-budget.ts'
import { findIsToldByReseller } from './reseller-queries.ts'
import { sampleTicketsLink } from './sample.ts'
import type { ChangeTrigger } from './triggers.ts'
import { renderWords, type Template, type Words } from './words.ts'

/** An e-mail that cannot be shown has a fault: its template fails, or templates have taken too long. */
export type PreviewedEmail = { words: Words; fault: null } | { words: null; fault: string }
export type ChangeNotice =
  /** Nobody is written to: there is no address, or the booking's reseller writes to its customers. */
  | { kind: 'nobody'; reason: 'no-address' | 'reseller'; phone: string | null }
  | { kind: 'no-workflow' }
  | { kind: 'emails'; to: string; emails: (PreviewedEmail & ToldBy)[] }
type ToldBy = { workflowId: number; name: string; offsetMinutes: number }

/** A booking as it would become. */
export type BookingBecoming =
  | { trigger: 'booking-cancelled'; refundMinor: string | null }
  /** At another price: what it has then, what its sale owes then, and what is paid back. */
  | {
      trigger: 'booking-moved'
      timeslotId: number
      priced?: { bought: Bought; owedMinor: bigint; refundMinor: bigint } | undefined
    }

/** What its workflows would send if a booking became so now; null when there is no such booking or timeslot. */
export async function previewChange(
  sql: Queryable,
  accountId: number,
  { reference, becoming, renders }: { reference: string; becoming: BookingBecoming; renders: RenderBudget },
): Promise<ChangeNotice | null> {
  const booking = await facts.findBookingFacts(sql, accountId, { reference })
  const become = booking && (await changed(sql, accountId, booking, becoming))
  if (!become) return null
  if (!become.email) return { kind: 'nobody', reason: 'no-address', phone: become.phone }
  if (await findIsToldByReseller(sql, accountId, become.id))
    return { kind: 'nobody', reason: 'reseller', phone: become.phone }
  const trigger: ChangeTrigger = becoming.trigger
  const about = { trigger, productId: become.productId }
  const workflows = await facts.listChangeWorkflows(sql, accountId, about)
  if (workflows.length === 0) return { kind: 'no-workflow' }
  const accountName = await facts.findAccountName(sql, accountId)
  const emails = []
  for (const { id: workflowId, name, offsetMinutes, ...template } of workflows) {
    const shown = await previewEmail(accountId, template, { accountName, booking: become, renders })
    emails.push({ ...shown, workflowId, name, offsetMinutes })
  }
  return { kind: 'emails', to: become.email, emails }
}

async function changed(
  sql: Queryable,
  accountId: number,
  booking: facts.BookingFacts,
  becoming: BookingBecoming,
): Promise<facts.BookingFacts | null> {
  if (becoming.trigger === 'booking-cancelled')
    return { ...booking, status: 'cancelled', refundMinor: becoming.refundMinor }
  const slot = await facts.findSlotFacts(sql, accountId, becoming.timeslotId)
  const { priced } = becoming
  const sale = booking.sale && priced ? { ...booking.sale, owedMinor: priced.owedMinor } : booking.sale
  const movedFrom = { date: booking.date, time: booking.time }
  const refundMinor = priced ? String(priced.refundMinor) : null
  return slot && { ...booking, ...slot, ...priced?.bought, sale, movedFrom, refundMinor }
}

type Rendering = { accountName: string; booking: facts.BookingFacts; renders: RenderBudget }

/** What a template comes to for a booking, as it would be sent, but for the link that is the customer's own. Its time is counted. */
export function previewEmail(
  accountId: number,
  template: Template,
  { accountName, booking, renders }: Rendering,
): Promise<PreviewedEmail> {
  return renders.take(accountId, (owedMs): PreviewedEmail => {
    if (owedMs > previewToleranceMs)
      return { words: null, fault: 'It cannot be shown now: the templates of this account take long.' }
    try {
      const { subject, text } = renderWords(template, accountName, booking, sampleTicketsLink)
      return { words: { subject: toHeader(subject), text: toBody(text) }, fault: null }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return { words: null, fault: `It cannot be written: ${error.message}` }
    }
  })
}
