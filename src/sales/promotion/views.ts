/** Converts promotions between the wire and the database. Pure. */
import type { FieldError } from '../../platform/schema/validation.ts'
import { checkPrice, toAmount, toMinorUnits } from '../../platform/text/money.ts'
import { toPercent } from '../../platform/text/percent.ts'
import { type PromotionTerms, toReduction } from './model.ts'
import type { PromotionInput, PromotionRow } from './queries.ts'
import type { PromotionChange, PromotionLimitName, PromotionView } from './schemas.ts'

export function promotionView(promotion: PromotionRow): PromotionView {
  const { basisPoints, amountMinor, currency } = promotion
  return {
    PromotionID: promotion.id,
    Code: promotion.code,
    Percent: basisPoints === null ? null : toPercent(basisPoints),
    Amount: amountMinor === null ? null : toAmount(amountMinor, currency!),
    Currency: currency,
    ProductIDs: promotion.productIds && [...promotion.productIds],
    SaleFrom: promotion.saleFrom,
    SaleTo: promotion.saleTo,
    TravelFrom: promotion.travelFrom,
    TravelTo: promotion.travelTo,
    MaxUses: promotion.maxUses,
    MaxUsesPerCustomer: promotion.maxUsesPerCustomer,
    Active: promotion.active,
    Uses: promotion.uses,
    CreatedAt: promotion.createdAt.toISOString(),
    UpdatedAt: promotion.updatedAt.toISOString(),
  }
}

/**
 * The state of a promotion that requireVersion() compares: its wire shape without the number of uses and the
 * time of the last change.
 */
export function promotionState({ Uses: _uses, UpdatedAt: _at, ...stated }: PromotionView) {
  return stated
}

/**
 * A promotion without limits. A new promotion gets these values for the limits that its request leaves out.
 */
export const unlimited = {
  productIds: null,
  saleFrom: null,
  saleTo: null,
  travelFrom: null,
  travelTo: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  active: true,
}

/**
 * Reads the promotion that a request describes, and the errors in the request. `promotion` is null if the
 * terms are not valid.
 * @param terms the terms that apply if the request has none; null if the request must have terms.
 * @param limits the limits that apply if the request leaves them out.
 */
export function readPromotion(
  request: PromotionChange,
  terms: PromotionTerms | null,
  limits: Omit<PromotionInput, keyof PromotionTerms>,
): { promotion: PromotionInput | null; errors: FieldError[] } {
  const { Unset = [] } = request
  const limit = <T>(name: PromotionLimitName, existing: T | null) =>
    Unset.includes(name) ? null : ((request[name] as T | undefined) ?? existing)
  const errors = Unset.flatMap((name, index): FieldError[] =>
    request[name] === undefined
      ? []
      : [{ field: `Unset[${index}]`, message: 'must not name a field that is also set' }],
  )
  const read = readTerms(request, terms, errors)
  const stated = {
    productIds: limit('ProductIDs', limits.productIds),
    saleFrom: limit('SaleFrom', limits.saleFrom),
    saleTo: limit('SaleTo', limits.saleTo),
    travelFrom: limit('TravelFrom', limits.travelFrom),
    travelTo: limit('TravelTo', limits.travelTo),
    maxUses: limit('MaxUses', limits.maxUses),
    maxUsesPerCustomer: limit('MaxUsesPerCustomer', limits.maxUsesPerCustomer),
    active: request.Active ?? limits.active,
  }
  if (isBefore(stated.saleTo, stated.saleFrom))
    errors.push({ field: 'SaleTo', message: 'must not be before SaleFrom' })
  if (isBefore(stated.travelTo, stated.travelFrom))
    errors.push({ field: 'TravelTo', message: 'must not be before TravelFrom' })
  return { promotion: read && { ...read, ...stated }, errors }
}

function isBefore(day: string | null, other: string | null): boolean {
  return day !== null && other !== null && day < other
}

function readTerms(
  { Percent, Amount, Currency }: PromotionChange,
  existing: PromotionTerms | null,
  errors: FieldError[],
): PromotionTerms | null {
  if (Percent === undefined && Amount === undefined && Currency === undefined && existing) return existing
  if (Percent !== undefined && Amount === undefined && Currency === undefined) {
    const basisPoints = toReduction(Percent)
    if (basisPoints !== null) return { basisPoints, amountMinor: null, currency: null }
    errors.push({ field: 'Percent', message: 'must be above 0 and at most 100' })
    return null
  }
  if (Percent !== undefined) errors.push({ field: 'Percent', message: 'must not be given with an amount' })
  else if (Amount === undefined && Currency === undefined)
    errors.push({ field: 'Percent', message: 'or Amount with Currency is required' })
  if (Amount === undefined && Currency !== undefined)
    errors.push({ field: 'Amount', message: 'is required with Currency' })
  if (Currency === undefined && Amount !== undefined)
    errors.push({ field: 'Currency', message: 'is required with Amount' })
  if (Amount === undefined || Currency === undefined) return null
  const fault = checkPrice({ Amount, Currency })
  if (fault) errors.push(fault)
  const amountMinor = fault ? null : toMinorUnits(Amount, Currency)
  if (amountMinor === 0) errors.push({ field: 'Amount', message: 'must be above 0' })
  return amountMinor ? { basisPoints: null, amountMinor, currency: Currency } : null
}

/** The wire names of the fields in which two versions of a promotion differ. */
export function changedPromotionFields(before: PromotionView, after: PromotionView): string[] {
  const names = Object.keys(before) as (keyof PromotionView)[]
  return names.filter((name) => name !== 'UpdatedAt' && String(before[name]) !== String(after[name]))
}
