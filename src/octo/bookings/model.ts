/** Pure rules of OCTO's bookings: contacts, and the status and the refund of a booking. */

import type { Contact, ContactMore } from '../../inventory/hold-model.ts'
import type { BookingStatus } from '../../inventory/service.ts'
import { normalizePhone } from '../../sales/booking/model.ts'

/** A contact as resellers send it. */
export type GivenContact = {
  fullName?: string
  firstName?: string
  lastName?: string
  emailAddress?: string
  phoneNumber?: string
  locales?: string[]
  postalCode?: string
  country?: string
  notes?: string
}

/** The customer that a contact describes; undefined if it has no fields. An empty text removes a value. */
export function toContact(given: GivenContact = {}): Contact | undefined {
  const whole = given.fullName === undefined ? null : splitName(given.fullName.trim())
  const more: ContactMore = {
    locales: (given.locales ?? []).filter((locale) => locale !== ''),
    country: trimmed(given.country),
    postalCode: trimmed(given.postalCode),
    notes: trimmed(given.notes),
  }
  const isMore =
    more.locales.length > 0 || [more.country, more.postalCode, more.notes].some((one) => one !== null)
  const contact: Contact = {
    firstName: trimmed(given.firstName) ?? whole?.firstName ?? null,
    lastName: trimmed(given.lastName) ?? whole?.lastName ?? null,
    email: trimmed(given.emailAddress),
    phone: given.phoneNumber === undefined ? null : normalizePhone(given.phoneNumber),
    more: isMore ? more : null,
  }
  return Object.values(contact).some((part) => part !== null) ? contact : undefined
}

function trimmed(text: string | undefined): string | null {
  return text === undefined ? null : text.trim()
}

/** Splits a full name at its last space. A single word is a first name. */
function splitName(name: string) {
  const space = name.lastIndexOf(' ')
  if (space < 0) return { firstName: name, lastName: '' }
  return { firstName: name.slice(0, space).trimEnd(), lastName: name.slice(space + 1) }
}

/** Trimmed text; null if nothing is left. */
export function textOf(text: string | undefined): string | null {
  return text?.trim() || null
}

export type OctoStatus = 'ON_HOLD' | 'CONFIRMED' | 'REDEEMED' | 'CANCELLED' | 'EXPIRED'

/** `isOver`: whether the hold of the booking has expired, even if the places have not been released yet. */
export function statusOf(booking: {
  status: BookingStatus
  isOver: boolean
  attendance: 'checked-in' | 'no-show' | null
}): OctoStatus {
  const { status, isOver, attendance } = booking
  if (status === 'confirmed') return attendance === 'checked-in' ? 'REDEEMED' : 'CONFIRMED'
  if (status === 'cancelled') return 'CANCELLED'
  return status === 'held' && !isOver ? 'ON_HOLD' : 'EXPIRED'
}

/**
 * How much of the price of a cancelled booking is paid back. FULL if no refund was calculated, because the
 * product has no refund terms.
 */
export function refundOf(refundMinor: bigint | null, totalMinor: bigint): 'FULL' | 'PARTIAL' | 'NONE' {
  if (refundMinor === null || refundMinor >= totalMinor) return 'FULL'
  return refundMinor === 0n ? 'NONE' : 'PARTIAL'
}
