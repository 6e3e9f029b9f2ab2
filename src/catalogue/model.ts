/** Pure functions of products: conversion for the database and the API, checks of rules, and ActivityIDs. */
import type { FieldError } from '../platform/schema/validation.ts'
import { type Price, toAmount, toMinorUnits } from '../platform/text/money.ts'

/** The fields of a product in the API and in the catalogue file, without its units, questions and terms. */
export type ProductFields = {
  Name: string
  Description: string
  DurationMinutes: number
  Price: Price
  TimeZone: string
  InShopfront: boolean
  BookingCutoffMinutes?: number
  CancelCutoffMinutes?: number
} & Partial<RuleFields>

/**
 * The rules for bookings of a product: the fewest and the most places of a booking, whether the price is per
 * person or per booking, and whether a booking takes the whole timeslot.
 */
export type RuleFields = {
  MinPlaces: number
  MaxPlaces: number
  PricedPer: 'person' | 'booking'
  TakesTimeslot: boolean
}

/** The default rules of a product. */
export const defaultRules: RuleFields = {
  MinPlaces: 1,
  MaxPlaces: 999,
  PricedPer: 'person',
  TakesTimeslot: false,
}

/** The fields of RuleFields, as the database stores them. */
export type ProductRules = {
  minPlaces: number
  maxPlaces: number
  pricedPerBooking: boolean
  takesTimeslot: boolean
}

/** A unit that a product sells. The default unit has the product's price. */
export type Unit = {
  id: number
  name: string
  type: string
  priceMinor: number
  currency: string
  /** How many places of the timeslot one ticket of this unit takes. */
  places: number
  /** How many people one ticket of the unit admits. */
  people: number
  minAge: number | null
  maxAge: number | null
  minQuantity: number | null
  maxQuantity: number | null
  accompaniedBy: number[]
  isDefault: boolean
}

/**
 * A product as the database stores it. In a change, a null cutoff or rule means that the stored value does
 * not change. In a new product, a null cutoff becomes 0, and a null rule gets its value from `defaultRules`.
 */
export type ProductRow = { [Rule in keyof ProductRules]: ProductRules[Rule] | null } & {
  name: string
  description: string
  durationMinutes: number
  priceMinor: number
  currency: string
  timeZone: string
  inShopfront: boolean
  bookingCutoffMinutes: number | null
  cancelCutoffMinutes: number | null
}

/** Converts fields for the database. The caller has checked the price with checkPrice(). */
export function toRow(product: ProductFields): ProductRow {
  const { Amount, Currency } = product.Price
  return {
    name: product.Name,
    description: product.Description,
    durationMinutes: product.DurationMinutes,
    priceMinor: toMinorUnits(Amount, Currency)!,
    currency: Currency,
    timeZone: product.TimeZone,
    inShopfront: product.InShopfront,
    bookingCutoffMinutes: product.BookingCutoffMinutes ?? null,
    cancelCutoffMinutes: product.CancelCutoffMinutes ?? null,
    minPlaces: product.MinPlaces ?? null,
    maxPlaces: product.MaxPlaces ?? null,
    pricedPerBooking: product.PricedPer ? product.PricedPer === 'booking' : null,
    takesTimeslot: product.TakesTimeslot ?? null,
  }
}

export function fromRow({ priceMinor, currency, ...row }: ProductRow): Required<ProductFields> {
  return {
    Name: row.name,
    Description: row.description,
    DurationMinutes: row.durationMinutes,
    Price: { Amount: toAmount(priceMinor, currency), Currency: currency },
    TimeZone: row.timeZone,
    InShopfront: row.inShopfront,
    BookingCutoffMinutes: row.bookingCutoffMinutes ?? 0,
    CancelCutoffMinutes: row.cancelCutoffMinutes ?? 0,
    MinPlaces: row.minPlaces ?? defaultRules.MinPlaces,
    MaxPlaces: row.maxPlaces ?? defaultRules.MaxPlaces,
    PricedPer: row.pricedPerBooking ? 'booking' : 'person',
    TakesTimeslot: row.takesTimeslot ?? defaultRules.TakesTimeslot,
  }
}

/**
 * Checks that the rules of a product do not contradict each other, and that its units fit the rules.
 * @param given the rules that change. If two rules contradict each other, the error names a rule that
 * changes.
 * @param existing the existing rules, which apply where `given` has none; `defaultRules` for a new product.
 */
export function ruleErrors(
  given: Partial<RuleFields>,
  existing: RuleFields,
  units: readonly { name: string; leastPlaces: number }[],
): FieldError[] {
  const { MinPlaces, MaxPlaces, PricedPer, TakesTimeslot } = { ...existing, ...given }
  const errors: FieldError[] = []
  if (MinPlaces > MaxPlaces)
    errors.push(
      given.MinPlaces === undefined
        ? { field: 'MaxPlaces', message: `must not be less than MinPlaces, ${MinPlaces}` }
        : { field: 'MinPlaces', message: `must not be more than MaxPlaces, ${MaxPlaces}` },
    )
  if (TakesTimeslot && PricedPer === 'person')
    errors.push(
      given.TakesTimeslot === undefined
        ? { field: 'PricedPer', message: 'must be booking while TakesTimeslot is true' }
        : { field: 'TakesTimeslot', message: 'must be false unless PricedPer is booking' },
    )
  if (PricedPer === 'booking' && units.length > 0)
    errors.push({ field: 'PricedPer', message: 'must be person for a product with units' })
  const largest = units.reduce((most, unit) => (unit.leastPlaces > most.leastPlaces ? unit : most), noUnit)
  if (largest.leastPlaces > MaxPlaces) {
    const message = `must be at least ${largest.leastPlaces}, the places that the unit ${largest.name} takes`
    errors.push({ field: 'MaxPlaces', message })
  }
  return errors
}

const noUnit = { name: '', leastPlaces: 0 }

/** The fewest places that the unit takes in a booking that includes it. */
export function leastPlaces({ places, minQuantity }: Pick<Unit, 'places' | 'minQuantity'>): number {
  return places * (minQuantity ?? 1)
}

/** The form of an ActivityID: `s_` and a lower-case UUID. */
export const activityIdPattern = '^s_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** The UUID in an ActivityID, which the database stores. */
export function activityUuid(activityId: string): string {
  return activityId.slice(2)
}

export function toActivityId(uuid: string): string {
  return `s_${uuid}`
}
