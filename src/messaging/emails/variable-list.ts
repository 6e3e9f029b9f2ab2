/** The variables of templates for the pages that write them: what each is, and what it is for the invented booking. */
import { defaultLocale } from '../../languages/locales.ts'
import { textsIn } from '../../languages/texts.ts'
import { ShownValue } from '../../platform/text/liquid.ts'
import { sampleBooking, sampleTicketsLink } from './sample.ts'
import { variablesOf } from './variables.ts'

const sentences: Record<string, string> = {
  'account.name': 'The name of your business.',
  'product.name': 'What was booked.',
  'product.duration': 'How long it takes.',
  'product.duration_minutes': 'How long it takes, in minutes.',
  'booking.reference': 'The booking’s reference.',
  'booking.participants': 'How many people come.',
  'booking.units': 'Who comes.',
  'booking.total': 'What the booking costs.',
  'booking.refund':
    'What is paid back because of the change that the e-mail tells of; empty where that is nothing.',
  'booking.all_day':
    'Whether the booking is for opening hours, for conditions; written as yes or no. To write when it is, take when.',
  'booking.opening_hours': 'The opening hours; empty unless the booking is for opening hours.',
  'booking.tickets_url': 'The link to the customer’s tickets.',
  'sale.paid': 'What was paid of the whole sale; empty for a partner’s booking.',
  'sale.to_pay': 'What is still to be paid of the whole sale; empty where that is nothing.',
  'sale.bookings': 'How many bookings of the sale are valid.',
  'customer.first_name': 'The customer’s first name; empty if unknown.',
  'customer.last_name': 'The customer’s last name; empty if unknown.',
  'customer.email': 'The customer’s e-mail address.',
  'customer.phone': 'The customer’s phone number; empty if unknown.',
  when: 'The date with the time, or with the opening hours.',
  date: 'The date.',
  time: 'The time; the first opening of a booking for opening hours.',
  starts_at: 'The date and time of the start.',
  ends_at: 'The date and time of the end.',
  time_zone: 'The time zone of the product.',
  'moved_from.date': 'The date before a move; empty in other e-mails.',
  'moved_from.time': 'The time before a move; empty in other e-mails.',
  'moved_from.when':
    'The date before a move with the time, or with the opening hours; empty in other e-mails.',
  'moved_from.product': 'The name of the product before a move; empty in other e-mails.',
  'party_before.units': 'Who came before the party was changed; empty in other e-mails.',
  'party_before.participants': 'How many people came before the party was changed; empty in other e-mails.',
}

export type TemplateVariable = { name: string; sentence: string; example: string }

/** As a template names them: `customer.first_name`. The examples are those of a preview without a booking. */
export const templateVariables: readonly TemplateVariable[] = Object.entries(
  variablesOf({
    t: textsIn(defaultLocale),
    accountName: 'Harbour Tours',
    booking: { ...sampleBooking, refundMinor: '5750' },
    ticketsLink: sampleTicketsLink,
  }),
).flatMap(([name, value]) =>
  typeof value === 'string' || value instanceof ShownValue
    ? [described(name, value)]
    : Object.entries(value).map(([inner, part]) => described(`${name}.${inner}`, part)),
)

function described(name: string, value: unknown): TemplateVariable {
  const t = textsIn(defaultLocale)
  const plain = typeof value === 'boolean' ? t.say(value ? 'when.yes' : 'when.no') : String(value)
  const example = value instanceof ShownValue ? value.text : plain
  return { name, sentence: sentences[name] ?? '', example }
}
