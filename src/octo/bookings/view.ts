/** Reservations as OCTO writes them. Pure. */
import { isTestAccount } from '../../accounts/model.ts'
import { toActivityId } from '../../catalogue/model.ts'
import type { ContactMore } from '../../inventory/hold-model.ts'
import { peopleOf, totalOf } from '../../inventory/service.ts'
import { fullName } from '../../platform/text/full-name.ts'
import type { OctoSlot } from '../availability/queries.ts'
import { availabilityView } from '../availability/view.ts'
import type { Capabilities } from '../capabilities.ts'
import { defaultOption, toAvailabilityId, toOctoUnitId, toUtc } from '../model.ts'
import { pricingOfBought } from '../pricing.ts'
import type { OctoProduct } from '../products/queries.ts'
import { octoQuestionView, optionView, productView, unitsOf, unitView } from '../products/view.ts'
import { answerOfBooking, answerOfItem } from './answers.ts'
import { type OctoStatus, refundOf, statusOf } from './model.ts'
import { itemPrices } from './prices.ts'
import type { ItemRow, OctoReservation } from './queries.ts'
import type { OctoBooking, OctoUnitItem } from './schemas.ts'

/** A reservation with its product and timeslot. */
export type FullReservation = { row: OctoReservation; product: OctoProduct; slot: OctoSlot }

export function bookingView(reserved: FullReservation, capabilities: Capabilities): OctoBooking {
  const { row, product, slot } = reserved
  const status = statusOf(row)
  const redeemedAt = status === 'REDEEMED' ? firstCameAt(row) : null
  const isHeld = status === 'ON_HOLD' || status === 'EXPIRED'
  return {
    id: row.uuid,
    uuid: row.uuid,
    testMode: isTestAccount(row.accountId),
    resellerReference: row.resellerReference,
    supplierReference: row.reference,
    status,
    utcCreatedAt: toUtc(row.createdAt),
    utcUpdatedAt: toUtc(row.updatedAt),
    utcExpiresAt: isHeld ? utcOrNull(row.expiresAt) : null,
    utcRedeemedAt: utcOrNull(redeemedAt),
    utcConfirmedAt: utcOrNull(row.confirmedAt),
    productId: toActivityId(product.activityId),
    product: productView(product, capabilities),
    optionId: defaultOption,
    option: optionView(product, capabilities),
    cancellable: isCancellable(row, status),
    cancellation: cancellationView(row),
    freesale: false,
    availabilityId: toAvailabilityId(slot),
    availability: availabilityView(product, slot, capabilities),
    contact: contactView(row),
    notes: row.notes,
    deliveryMethods: ['TICKET', 'VOUCHER'],
    voucher: ticketView(status, row.reference, redeemedAt),
    unitItems: itemViews(reserved, status, capabilities),
    ...(capabilities.pricing && { pricing: pricingOfBought(row) }),
    ...(capabilities.questions && {
      questionAnswers: answerViews(product, 'booking', (id) => answerOfBooking(row.answers, id)),
    }),
  }
}

function itemViews(
  { row, product }: FullReservation,
  status: OctoStatus,
  capabilities: Capabilities,
): OctoUnitItem[] {
  const prices = itemPrices(row, row.items)
  const units = new Map(unitsOf(product).map((unit) => [unit.id, unitView(product, unit, capabilities)]))
  const wholeCameAt = status === 'REDEEMED' ? findPartyCheckedInAt(row) : null
  return row.items.map((item, place) => {
    const redeemedAt = item.redeemedAt === null ? null : new Date(item.redeemedAt)
    const unit = units.get(item.unitId)
    const cameAt = redeemedAt ?? wholeCameAt
    const own = itemStatus(status, cameAt !== null)
    return {
      uuid: item.uuid,
      resellerReference: item.resellerReference,
      supplierReference: `${row.reference}-${item.number}`,
      unitId: toOctoUnitId(item.unitId),
      ...(unit && { unit }),
      status: own,
      utcRedeemedAt: own === 'REDEEMED' ? utcOrNull(cameAt) : null,
      contact: contactView(item),
      ticket: ticketView(own, item.code, own === 'REDEEMED' ? cameAt : null),
      ...(capabilities.pricing && { pricing: prices[place]! }),
      ...(capabilities.questions && {
        questionAnswers: answerViews(product, 'participant', (id) => answerOfItem(row.answers, id, place)),
      }),
    }
  })
}

/** When the whole party was checked in, if some people were counted without a scan of their tickets; null otherwise. */
function findPartyCheckedInAt(row: OctoReservation): Date | null {
  const redeemed = row.items.filter(({ redeemedAt }) => redeemedAt !== null)
  const scanned = redeemed.reduce((sum, { unitId }) => sum + peopleOf(row, unitId), 0)
  return row.peopleHere >= row.participants && scanned < row.participants ? row.lastCheckedInAt : null
}

/**
 * An item of a confirmed booking is REDEEMED once its participants are checked in. The booking is REDEEMED as
 * soon as some of the party are.
 */
function itemStatus(status: OctoStatus, hasCome: boolean): OctoStatus {
  if (status !== 'CONFIRMED' && status !== 'REDEEMED') return status
  return hasCome ? 'REDEEMED' : 'CONFIRMED'
}

function firstCameAt({ items, firstCheckedInAt }: OctoReservation): Date | null {
  const times = [...scansOf(items), ...(firstCheckedInAt ? [firstCheckedInAt.getTime()] : [])]
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

/** When tickets were redeemed, in Unix milliseconds. */
function scansOf(items: readonly ItemRow[]): number[] {
  return items.flatMap(({ redeemedAt }) => (redeemedAt === null ? [] : Date.parse(redeemedAt)))
}

function isCancellable({ cutoffPassed, items }: OctoReservation, status: OctoStatus): boolean {
  if (status === 'ON_HOLD') return true
  return status === 'CONFIRMED' && !cutoffPassed && items.every(({ redeemedAt }) => redeemedAt === null)
}

/** Contains the reason only if the reseller cancelled: notes of the operator are internal. */
function cancellationView(row: OctoReservation): OctoBooking['cancellation'] {
  if (row.cancelledAt === null) return null
  const refundMinor = row.refundMinor === null ? null : BigInt(row.refundMinor)
  return {
    refund: refundOf(refundMinor, totalOf(row)),
    reason: row.cancelReason === 'partner' ? row.cancelNote : null,
    utcCancelledAt: toUtc(row.cancelledAt),
  }
}

/** The ticket or voucher. It has a QR code only while the booking is confirmed or redeemed. */
function ticketView(status: OctoStatus, code: string, redeemedAt: Date | null): OctoBooking['voucher'] {
  const isGood = status === 'CONFIRMED' || status === 'REDEEMED'
  return {
    redemptionMethod: 'DIGITAL',
    utcRedeemedAt: utcOrNull(redeemedAt),
    deliveryOptions: isGood ? [{ deliveryFormat: 'QRCODE', deliveryValue: code }] : [],
  }
}

type ContactRow = Pick<ItemRow, 'firstName' | 'lastName' | 'email' | 'phone'> & { more: ContactMore | null }

function contactView({ firstName, lastName, email, phone, more }: ContactRow): OctoBooking['contact'] {
  return {
    fullName: fullName(firstName, lastName) || null,
    firstName,
    lastName,
    emailAddress: email,
    phoneNumber: phone,
    locales: more?.locales ?? [],
    postalCode: more?.postalCode || null,
    country: more?.country || null,
    notes: more?.notes || null,
  }
}

function answerViews(
  { questions }: OctoProduct,
  appliesTo: 'booking' | 'participant',
  answerTo: (questionId: number) => string | null,
) {
  return questions.flatMap((question) => {
    const value = question.appliesTo === appliesTo ? answerTo(question.id) : null
    const about = { questionId: String(question.id), question: octoQuestionView(question) }
    return value === null ? [] : [{ ...about, value }]
  })
}

function utcOrNull(instant: Date | null): string | null {
  return instant && toUtc(instant)
}
