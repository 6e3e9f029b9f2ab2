/** Products as OCTO writes them, with one option each, in lists and in bookings. Pure. */
import { defaultRules, toActivityId, type Unit } from '../../catalogue/model.ts'
import type { Question } from '../../catalogue/question-queries.ts'
import { translated, translatedQuestion, translateText } from '../../catalogue/translation.ts'
import { netPriceOf } from '../../inventory/partner-terms.ts'
import { defaultUnitAlias, type PriceList } from '../../inventory/price-list.ts'
import { implicitUnit, person } from '../../sales/booking/pricing.ts'
import type { Capabilities } from '../capabilities.ts'
import { defaultOption, toOctoUnitId } from '../model.ts'
import { type OctoPricing, pricingOf } from '../pricing.ts'
import { agesText, cancellationTerms, contentOf } from './content.ts'
import { cutoffOf, fullRefundCutoffOf } from './cutoff.ts'
import type { OctoProduct } from './queries.ts'
import type { OctoOption, OctoProductView, OctoQuestion, OctoUnit } from './schemas.ts'

export function productView(product: OctoProduct, capabilities: Capabilities): OctoProductView {
  const { content, pricing, questions } = capabilities
  return {
    id: toActivityId(product.activityId),
    internalName: product.name,
    reference: null,
    locale: product.translation?.language ?? product.language,
    timeZone: product.timeZone,
    allowFreesale: false,
    instantConfirmation: true,
    instantDelivery: true,
    availabilityRequired: true,
    availabilityType: product.isAllDay ? 'OPENING_HOURS' : 'START_TIME',
    deliveryFormats: ['QRCODE'],
    deliveryMethods: ['TICKET', 'VOUCHER'],
    redemptionMethod: 'DIGITAL',
    options: [optionView(product, capabilities)],
    ...(pricing && {
      defaultCurrency: product.currency,
      availableCurrencies: [product.currency],
      pricingPer: product.pricedPerBooking ? 'BOOKING' : 'UNIT',
    }),
    ...(questions && { questions: questionsOf(product, 'booking') }),
    ...(content && { ...contentOf(translated(product)), features: [] }),
  }
}

/** The only option of a product. */
export function optionView(product: OctoProduct, capabilities: Capabilities): OctoOption {
  const { content, pricing, questions } = capabilities
  const cutoff = cutoffOf(product.cancelCutoffMinutes ?? 0)
  const fullRefundCutoff = fullRefundCutoffOf(product)
  const price = product.pricedPerBooking ? [lowestPriceOf(product, unitsOf(product)[0]!)] : []
  return {
    id: defaultOption,
    default: true,
    internalName: defaultOption,
    reference: null,
    // OCTO requires at least one start time, even if the product has no upcoming timeslots.
    availabilityLocalStartTimes: product.startTimes.length > 0 ? product.startTimes : ['00:00'],
    cancellationCutoff: fullRefundCutoff.text,
    cancellationCutoffAmount: fullRefundCutoff.amount,
    cancellationCutoffUnit: fullRefundCutoff.unit,
    requiredContactFields: [],
    restrictions: unitLimits(product),
    units: unitsOf(product).map((unit) => unitView(product, unit, capabilities)),
    ...(pricing && { pricingFrom: price, pricing: price }),
    ...(questions && { questions: questionsOf(product, 'booking') }),
    ...(content && {
      ...contentOf(translated(product)),
      features: cancellationTerms(cutoff, product.refundTerms),
    }),
  }
}

/** A unit of a product, with its lowest price. */
export function unitView(
  product: OctoProduct,
  unit: Unit,
  { content, pricing, questions }: Capabilities,
): OctoUnit {
  const prices = product.pricedPerBooking ? [] : [lowestPriceOf(product, unit)]
  return {
    id: toOctoUnitId(unit.id),
    internalName: unit.name,
    reference: null,
    type: (unit.type === person.type ? 'ADULT' : unit.type) as OctoUnit['type'],
    restrictions: {
      minAge: unit.minAge ?? 0,
      maxAge: unit.maxAge ?? 150,
      idRequired: false,
      minQuantity: unit.minQuantity,
      maxQuantity: unit.maxQuantity,
      paxCount: unit.people,
      accompaniedBy: unit.accompaniedBy.map(toOctoUnitId),
    },
    requiredContactFields: [],
    ...(pricing && { pricingFrom: prices, pricing: prices }),
    ...(questions && { questions: questionsOf(product, 'participant') }),
    ...(content && { title: titleOf(product, unit), shortDescription: agesText(unit), features: [] }),
  }
}

function titleOf({ translation }: OctoProduct, { name }: Unit): string {
  return translation ? translateText(translation, name) : name
}

/** The units of a product. A product without units has one: a place for a person. */
export function unitsOf({
  units,
  priceMinor,
  currency,
}: Pick<OctoProduct, 'units' | 'priceMinor' | 'currency'>): Unit[] {
  if (units) return units
  return [{ ...implicitUnit(priceMinor), currency, minAge: null, maxAge: null, isDefault: true }]
}

/** The units and prices of a product on a timeslot, which may have prices of its own. */
export function priceListOf(
  product: OctoProduct,
  { priceMinor, ownPrices }: { priceMinor: number; ownPrices: Record<string, number> | null },
): PriceList {
  const units = product.units?.map((unit) => {
    return { ...unit, priceMinor: unit.isDefault ? priceMinor : (ownPrices?.[unit.id] ?? unit.priceMinor) }
  })
  return {
    productId: product.id,
    currency: product.currency,
    priceMinor,
    units: units ?? null,
    defaultUnitId: product.units?.find(({ isDefault }) => isDefault)?.id ?? null,
    minPlaces: product.minPlaces,
    maxPlaces: product.maxPlaces,
    pricedPerBooking: product.pricedPerBooking,
    takesTimeslot: product.takesTimeslot,
    hasPartnerTerms: product.terms !== null,
  }
}

/** The price of a unit as OCTO writes it, with the amount that the reseller owes for it. */
export function priceOfUnit(product: OctoProduct, unit: Pick<Unit, 'id' | 'priceMinor'>): OctoPricing {
  const { terms, currency } = product
  const defaultUnitId = product.units?.find(({ isDefault }) => isDefault)?.id ?? null
  const netMinor = terms && netPriceOf(unit, terms, { defaultUnitId })
  return pricingOf({ retailMinor: unit.priceMinor, netMinor, currency })
}

/** The lowest price of a unit in the schedules that have not ended. Without schedules, the price of the unit. */
function lowestPriceOf(product: OctoProduct, unit: Unit): OctoPricing {
  const key = unit.isDefault ? defaultUnitAlias : unit.id
  const prices = product.schedulePrices.map((own) => own?.[key] ?? unit.priceMinor)
  return priceOfUnit(product, {
    id: unit.id,
    priceMinor: prices.length > 0 ? Math.min(...prices) : unit.priceMinor,
  })
}

/**
 * How many units a booking may have. OCTO counts units, and the catalogue counts places, so these limits are
 * approximate, and src/sales/ checks the places. `maxUnits` is null if the product has the default limit, or a unit
 * that takes no place.
 */
export function unitLimits(product: OctoProduct): OctoOption['restrictions'] {
  const sizes = unitsOf(product).map(({ places, people }) => (product.pricedPerBooking ? people : places))
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const isLimited = product.maxPlaces < defaultRules.MaxPlaces && least > 0
  return {
    minUnits: Math.max(1, Math.ceil(product.minPlaces / Math.max(1, most))),
    maxUnits: isLimited ? Math.floor(product.maxPlaces / least) : null,
  }
}

const inputTypes: Partial<Record<string, OctoQuestion['inputType']>> = {
  textarea: 'textarea',
  select: 'select',
  checkbox: 'select',
  date: 'date',
  email: 'email',
  phone: 'tel',
  file: 'file',
}

export function octoQuestionView({
  id,
  label,
  type,
  required,
  options,
  optionLabels = options,
}: Question): OctoQuestion {
  return {
    id: String(id),
    title: label,
    shortDescription: null,
    required,
    inputType: inputTypes[type] ?? 'text',
    selectOptions: options.map((value, index) => ({ label: optionLabels[index]!, value })),
    coverImageUrl: null,
  }
}

/** The questions that are asked once for a booking, or once for each participant. */
export function questionsOf(
  { questions, translation }: Pick<OctoProduct, 'questions' | 'translation'>,
  appliesTo: 'booking' | 'participant',
): OctoQuestion[] {
  return questions
    .filter((question) => question.appliesTo === appliesTo)
    .map((question) => octoQuestionView(translatedQuestion(question, translation)))
}
