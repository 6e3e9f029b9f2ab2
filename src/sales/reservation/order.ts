/** A request to reserve, and its conversion to the order for a hold that src/sales/booking/ makes. Pure. */
import type { Caller } from '../../accounts/service.ts'
import type { Contact, HeldTicket } from '../../inventory/hold-model.ts'
import type { Answers } from '../booking/answers.ts'
import type { HoldOrder } from '../booking/order.ts'
import { partyOf, type RequestedItem } from './model.ts'

/** What identifies a request to reserve, so that a repeated request is recognised before its content is checked. */
export type ReserveRequest = {
  caller: Caller
  /** The uuid of the reservation: from the reseller, or generated if the reseller sent none. */
  uuid: string
  /** The parsed body, by which a repeated request is recognised. */
  body: unknown
  /** Whether the client still waits for the response; checked right before places are taken. */
  isAwaited: () => boolean
}

/** The content of a request to reserve. */
export type ReserveOrder = {
  activityId: string
  date: string
  time: string
  /** At least one. */
  items: RequestedItem[]
  /**
   * The hold time; null for `hold_minutes` of the account. It is limited by the larger of that and
   * `hold_limit_minutes`.
   */
  holdMinutes: number | null
  resellerReference: string | null
  notes: string | null
  contact: Contact | null
  emailReceipt: boolean
  answers: Answers
}

/**
 * The id of the reseller whose reservations a caller may see: its partner, or 0 for all callers without a
 * partner.
 */
export function resellerOf({ partnerId }: Pick<Caller, 'partnerId'>): number {
  return partnerId ?? 0
}

export function toHold(
  { caller, uuid, isAwaited }: ReserveRequest,
  order: ReserveOrder,
  bodyHash: Buffer,
): HoldOrder {
  const { contact, notes, emailReceipt, holdMinutes: minutes } = order
  const { participants, units } = partyOf(order.items)
  const request = {
    ActivityID: order.activityId,
    Date: order.date,
    Time: order.time,
    ...(units ? { Units: [...units] } : { Participants: participants! }),
    ...(contact && { Customer: toFields(contact) }),
    ...(order.resellerReference !== null && { PaymentReference: order.resellerReference }),
    Answers: order.answers,
  }
  const tickets = order.items.map((item): HeldTicket => {
    const { unitId, uuid, resellerReference = null, contact = null } = item
    return { unitId, uuid, resellerReference, contact }
  })
  const more = contact?.more ?? null
  const resellerId = resellerOf(caller)
  return {
    caller,
    request,
    isAwaited,
    hold: { minutes, resellerId, uuid, bodyHash, notes, contact: more, emailReceipt, tickets },
  }
}

function toFields({ firstName, lastName, email, phone }: Contact) {
  return {
    FirstName: firstName || undefined,
    LastName: lastName || undefined,
    Email: email || undefined,
    Phone: phone || undefined,
  }
}
