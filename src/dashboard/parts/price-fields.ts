/**
 * The fields for the prices that a schedule, a timeslot or a partner has instead of the product's prices.
 * Each field may be empty.
 */
import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { toAmount } from '../../platform/text/money.ts'
import { textsOf } from '../frame/form-body.ts'
import { type FormFaults, idOf } from '../frame/forms.ts'
import type { ComparedField } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import { amountField, readAmount, showAmount } from './amounts.ts'

export type GivenPrices = { UnitID: number; Amount: string }[]

/**
 * The currency and the units of a product. For a product without units (null), the only price has the id 0.
 */
type UnitPricing = { currency: string; units: readonly { id: number; name: string }[] | null }

const fieldName = (id: number) => `Price-${id}`

/** Reads the prices of a form into its body, before the body is checked. An empty field means no own price. */
export async function takePrices(request: FastifyRequest): Promise<void> {
  const names = Object.keys(request.formFields).filter((name) => /^Price-(0|[1-9]\d{0,14})$/.test(name))
  if (names.length === 0) return
  const { locale } = textsFor(request)
  const prices = names.flatMap((name) => {
    const text = textsOf(request.formFields, name)[0]!.trim()
    return text === ''
      ? []
      : [{ UnitID: Number(name.slice('Price-'.length)), Amount: readAmount(text, locale) }]
  })
  Object.assign(request.body as object, { UnitPrices: prices })
}

/** The price fields of a form, each with the sent and the stored amount as the form shows them. */
export function comparePrices(
  { locale }: Texts,
  given: GivenPrices = [],
  stored: GivenPrices = [],
): ComparedField[] {
  const ids = new Set([...stored, ...given].map(({ UnitID }) => UnitID))
  const amountIn = (prices: GivenPrices, id: number) =>
    showAmount(prices.find(({ UnitID }) => UnitID === id)?.Amount ?? '', locale)
  return [...ids].map((id) => {
    return { field: fieldName(id), given: amountIn(given, id), existing: amountIn(stored, id) }
  })
}

/** The form's name for a field of `UnitPrices` in a request. Other names are returned unchanged. */
export function priceFieldOf(field: string, given: GivenPrices = []): string {
  const index = /^UnitPrices\[(\d+)\]/.exec(field)?.[1]
  const price = given[Number(index)]
  return price ? fieldName(price.UnitID) : field
}

/** The labels of the price fields. */
export function priceLabels(t: Texts, { units }: UnitPricing): [string, string][] {
  return priced(t, units).map(({ id, name }) => [fieldName(id), name])
}

export function priceFields(
  t: Texts,
  product: UnitPricing,
  {
    given = [],
    faults,
    hint,
    legend = t.say('price.own'),
  }: { given?: GivenPrices | undefined; faults: FormFaults; hint: string; legend?: string },
): Markup {
  const { locale } = t
  const fields = priced(t, product.units).map(({ id, name }) => {
    const amount = given.find(({ UnitID }) => UnitID === id)?.Amount ?? ''
    const label = t.say('price.in', { unit: name, currency: product.currency })
    return amountField(
      t,
      { label, name: fieldName(id), value: amount, faults },
      {
        maxlength: 20,
        placeholder: showAmount(toAmount(0, product.currency), locale),
      },
    )
  })
  return html`<fieldset class="fields" id="${idOf('UnitPrices')}"><legend>${legend}</legend>
<p class="hint">${hint}</p>${fields}</fieldset>`
}

function priced(t: Texts, units: UnitPricing['units']) {
  return units ?? [{ id: 0, name: t.say('word.price') }]
}
