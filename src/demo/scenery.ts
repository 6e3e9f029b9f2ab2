/** Invented people, texts and figures for the demo. */
import { defaultWorkflows } from '../messaging/workflows/defaults.ts'
import type { WorkflowInput } from '../messaging/workflows/service.ts'
import type { ThresholdInput } from '../metering/thresholds/queries.ts'

export const customers = [
  ['Ada', 'Lovelace'],
  ['Amália', 'Rodrigues'],
  ['Joaquim', 'Ferreira'],
  ['Mette', 'Sørensen'],
  ['Luca', 'Bianchi'],
  ['Inês', 'Carvalho'],
  ['Tomás', 'Almeida'],
  ['Freya', 'Lindqvist'],
] as const

const everyProduct = { productId: null, active: true } as const

export const workflows: WorkflowInput[] = [
  {
    ...everyProduct,
    name: 'Confirmation',
    trigger: 'booking-confirmed',
    offsetMinutes: 0,
    subject: '{{ product.name }}: your booking {{ booking.reference }}',
    body: 'Hello{% if customer.first_name != "" %} {{ customer.first_name }}{% endif %},\n\nyou are booked on {{ product.name }}, {{ date | date: "%A, %-d %B %Y" }}{% if booking.all_day %} (open {{ booking.opening_hours }}){% else %} at {{ time }}{% endif %}, for {{ booking.units }}.\n{% if sale.paid != "" %}Paid: {{ sale.paid }}{% if sale.bookings > 1 %} for your {{ sale.bookings }} bookings together{% endif %}{% if sale.to_pay != "" %}, still to be paid: {{ sale.to_pay }}{% endif %}.\n{% endif %}{% if booking.tickets_url != "" %}Your tickets, to show at the start: {{ booking.tickets_url }}{% else %}Please have your reference at hand: {{ booking.reference }}{% endif %}\n\n{{ account.name }}',
  },
  {
    ...everyProduct,
    name: 'Reminder, a day before',
    trigger: 'before-start',
    offsetMinutes: 24 * 60,
    subject: '{{ product.name }}, {{ date | date: "%A, %e %B" }}',
    body: 'Hello{% if customer.first_name != "" %} {{ customer.first_name }}{% endif %},\n\n{% if booking.all_day %}we look forward to seeing you on {{ date | date: "%A, %-d %B %Y" }}. We are open {{ booking.opening_hours }}: come when you like.{% else %}we look forward to seeing you on {{ date | date: "%A, %-d %B %Y" }} at {{ time }}. Please come 15 minutes early.{% endif %}\n\n{{ account.name }}',
  },
  {
    ...everyProduct,
    name: 'How was it?',
    trigger: 'after-end',
    offsetMinutes: 3 * 60,
    subject: 'How was {{ product.name }}?',
    body: 'Hello{% if customer.first_name != "" %} {{ customer.first_name }}{% endif %},\n\nthank you for coming. We would like to hear how it was: just answer this e-mail.\n\n{{ account.name }}',
  },
  ...Object.values(defaultWorkflows),
]

/** Usage by meter on each of the last seven days, today first. Earlier weeks repeat these values. */
export const usage: Record<string, number[]> = {
  'photos-shared': [42, 61, 58, 12, 33, 70, 85],
  'equipment-hours': [31.5, 44, 40.25, 9.5, 22, 51, 63.75],
}

/** Some days exceed the first threshold. No month exceeds the second. */
export const thresholds: ThresholdInput[] = [
  { meter: 'photos-shared', period: 'day', amount: '80' },
  { meter: 'equipment-hours', period: 'month', amount: '2000' },
]
