/**
 * Previews the e-mails that workflows would send to a customer about a change of a booking, with a sample link to
 * tickets.
 */
import { type Bought, totalOf } from '../../inventory/service.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { TemplateError } from '../../platform/text/liquid.ts'
import { boughtView } from '../../sales/booking/bought-view.ts'
import { findSeller } from '../../sales/business-details/service.ts'
import * as facts from './facts.ts'
import { inCustomerLanguage } from './in-language.ts'
import { toBody, toHeader } from './model.ts'
import { previewToleranceMs, type RenderBudget } from './render-budget.ts'
import { findIsNotifiedByReseller } from './reseller-queries.ts'
import type { SaleMoney } from './sale-money.ts'
import { sampleTicketsLink } from './sample.ts'
import type { ChangeTrigger } from './triggers.ts'
import { renderWords, type Template } from './variables.ts'
import type { Words } from './words.ts'

/**
 * `fault` says why an e-mail cannot be shown: its template fails, or the account's templates recently took
 * too long.
 */
export type PreviewedEmail = { words: Words; fault: null } | { words: null; fault: string }
export type ChangeNotice =
  /** No e-mail is sent: there is no address, or the booking's reseller notifies its customers. */
  | { kind: 'nobody'; reason: 'no-address' | 'reseller'; phone: string | null }
  | { kind: 'no-workflow' }
  | { kind: 'emails'; to: string; emails: (PreviewedEmail & WorkflowLabel)[] }
type WorkflowLabel = { workflowId: number; name: string; offsetMinutes: number }

/** A booking after a change. */
export type BookingPreview =
  | { trigger: 'booking-cancelled'; refundMinor: string | null }
  /** `priced` is left out if the booking keeps its price. */
  | { trigger: 'booking-moved'; timeslotId: number; priced?: PricedChange | undefined }
  | { trigger: 'booking-amended'; priced: PricedChange }

/**
 * The booking's contents and price after a change. `owedMinor`: the customer's debt for the sale after the change.
 * `setOffMinor`: the part of the refunds due that pays for the higher price.
 */
type PricedChange = { bought: Bought; owedMinor: bigint; refundMinor: bigint; setOffMinor: bigint }

/**
 * Previews the e-mails of up to five workflows for a change of a booking. Null if the booking or timeslot does not
 * exist.
 */
export async function previewChange(
  sql: Queryable,
  accountId: number,
  { reference, becoming, renders }: { reference: string; becoming: BookingPreview; renders: RenderBudget },
): Promise<ChangeNotice | null> {
  const booking = await facts.findBookingFacts(sql, accountId, { reference })
  const become = booking && (await changed(sql, accountId, booking, becoming))
  if (!become) return null
  if (!become.email) return { kind: 'nobody', reason: 'no-address', phone: become.phone }
  if (await findIsNotifiedByReseller(sql, accountId, become.id))
    return { kind: 'nobody', reason: 'reseller', phone: become.phone }
  const trigger: ChangeTrigger = becoming.trigger
  const change = { trigger, productId: become.productId }
  const workflows = await facts.listChangeWorkflows(sql, accountId, change)
  if (workflows.length === 0) return { kind: 'no-workflow' }
  const seller = await findSeller(sql, accountId)
  const about = {
    ...(await inCustomerLanguage(sql, accountId, seller, become)),
    accountName: seller.name,
    renders,
  }
  const emails = []
  for (const { id: workflowId, name, offsetMinutes, ...template } of workflows) {
    const shown = await previewEmail(accountId, template, about)
    emails.push({ ...shown, workflowId, name, offsetMinutes })
  }
  return { kind: 'emails', to: become.email, emails }
}

async function changed(
  sql: Queryable,
  accountId: number,
  booking: facts.BookingFacts,
  becoming: BookingPreview,
): Promise<facts.BookingFacts | null> {
  if (becoming.trigger === 'booking-cancelled') {
    const { refundMinor } = becoming
    const sale = booking.sale && saleWithout(booking, booking.sale)
    return { ...booking, status: 'cancelled', refundMinor, sale: withRefund(sale, BigInt(refundMinor ?? 0)) }
  }
  const { priced } = becoming
  const sale = priced ? saleAfter(booking.sale, priced) : booking.sale
  if (becoming.trigger === 'booking-amended') {
    const { bought, refundMinor } = becoming.priced
    const partyBefore = boughtView(booking)
    return { ...booking, ...bought, sale, partyBefore, refundMinor: String(refundMinor) }
  }
  const slot = await facts.findSlotFacts(sql, accountId, becoming.timeslotId)
  const { productName, date, time, openingHours } = booking
  const movedFrom = { productName, date, time, openingHours }
  const refundMinor = priced ? String(priced.refundMinor) : null
  return slot && { ...booking, ...slot, ...priced?.bought, sale, movedFrom, refundMinor }
}

/** The sale after the cancellation of a confirmed booking: its customer no longer owes the unpaid part of the price. */
function saleWithout(booking: Bought, sale: SaleMoney): SaleMoney {
  const owedMinor = sale.owedMinor - totalOf(booking)
  return { ...sale, owedMinor: owedMinor > 0n ? owedMinor : 0n, bookings: sale.bookings - 1 }
}

function saleAfter(
  sale: SaleMoney | null,
  { owedMinor, refundMinor, setOffMinor }: PricedChange,
): SaleMoney | null {
  return sale && { ...withRefund(sale, refundMinor - setOffMinor)!, owedMinor }
}

function withRefund(sale: SaleMoney | null, minor: bigint): SaleMoney | null {
  return sale && { ...sale, dueMinor: sale.dueMinor + minor }
}

type Rendering = { t: Texts; accountName: string; booking: facts.BookingFacts; renders: RenderBudget }

/**
 * Renders a template for a booking as it would be sent, but with a sample in place of the customer's private link.
 * The time counts against the account's budget.
 */
export function previewEmail(
  accountId: number,
  template: Template,
  { t, accountName, booking, renders }: Rendering,
): Promise<PreviewedEmail> {
  return renders.take(accountId, (owedMs): PreviewedEmail => {
    if (owedMs > previewToleranceMs)
      return {
        words: null,
        fault: 'It cannot be shown now, because the templates of this account take too long.',
      }
    try {
      const { subject, text } = renderWords(template, {
        t,
        accountName,
        booking,
        ticketsLink: sampleTicketsLink,
      })
      return { words: { subject: toHeader(subject), text: toBody(text) }, fault: null }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return { words: null, fault: `It cannot be written: ${error.message}` }
    }
  })
}
