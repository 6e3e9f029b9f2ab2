/**
 * The variables that templates can use, each with a description and an example, for the pages where users edit
 * templates.
 */
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'
import { ShownValue } from '../../platform/text/liquid.ts'
import { sampleBooking, sampleTicketsLink } from './sample.ts'
import { variablesOf } from './variables.ts'

const sentences: Readonly<Record<string, TextKey>> = {
  'account.name': 'variable.account-name',
  'product.name': 'variable.product-name',
  'product.duration': 'variable.product-duration',
  'product.duration_minutes': 'variable.product-duration-minutes',
  'booking.reference': 'variable.booking-reference',
  'booking.participants': 'variable.booking-participants',
  'booking.units': 'variable.booking-units',
  'booking.total': 'variable.booking-total',
  'booking.refund': 'variable.booking-refund',
  'booking.all_day': 'variable.booking-all-day',
  'booking.opening_hours': 'variable.booking-opening-hours',
  'booking.tickets_url': 'variable.booking-tickets-url',
  'sale.paid': 'variable.sale-paid',
  'sale.to_pay': 'variable.sale-to-pay',
  'sale.to_pay_back': 'variable.sale-to-pay-back',
  'sale.bookings': 'variable.sale-bookings',
  'customer.first_name': 'variable.customer-first-name',
  'customer.last_name': 'variable.customer-last-name',
  'customer.email': 'variable.customer-email',
  'customer.phone': 'variable.customer-phone',
  when: 'variable.when',
  date: 'variable.date',
  time: 'variable.time',
  starts_at: 'variable.starts-at',
  ends_at: 'variable.ends-at',
  time_zone: 'variable.time-zone',
  'moved_from.date': 'variable.moved-from-date',
  'moved_from.time': 'variable.moved-from-time',
  'moved_from.when': 'variable.moved-from-when',
  'moved_from.product': 'variable.moved-from-product',
  'party_before.units': 'variable.party-before-units',
  'party_before.participants': 'variable.party-before-participants',
}

export type TemplateVariable = { name: string; sentence: TextKey; example: string }

/**
 * Names are as in a template: `customer.first_name`. The examples come from the sample booking, to which a refund
 * is added, and are written in the reader's locale.
 */
export function templateVariablesIn(t: Texts): TemplateVariable[] {
  const values = variablesOf({
    t,
    accountName: 'Harbour Tours',
    booking: { ...sampleBooking, refundMinor: '5750' },
    ticketsLink: sampleTicketsLink,
  })
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' || value instanceof ShownValue
      ? [described(t, name, value)]
      : Object.entries(value).map(([inner, part]) => described(t, `${name}.${inner}`, part)),
  )
}

function described(t: Texts, name: string, value: unknown): TemplateVariable {
  const plain = typeof value === 'boolean' ? t.say(value ? 'when.yes' : 'when.no') : String(value)
  const example = value instanceof ShownValue ? value.text : plain
  return { name, sentence: sentences[name]!, example }
}
