/** The workflows of a new account, which notify customers of changes. */
import type { Transaction } from '../../platform/postgres/database.ts'
import type { ChangeTrigger } from '../emails/triggers.ts'
import { insertWorkflow, type WorkflowInput } from './queries.ts'

const atOnce = { offsetMinutes: 0, productId: null, active: true } as const
const greeting = 'Hello{% if customer.first_name != "" %} {{ customer.first_name }}{% endif %},'
const place =
  '{{ date | date: "%A, %e %B %Y" }}{% if booking.all_day %}, open {{ booking.opening_hours }}{% else %} at {{ time }}{% endif %}'
const origin =
  '{% if moved_from.date != "" %} from {{ moved_from.date | date: "%A, %e %B %Y" }}{% unless booking.all_day %} at {{ moved_from.time }}{% endunless %}{% endif %}'

const moneyOfMove =
  '{% if booking.refund != "" %}\n\nYou get back {{ booking.refund }}.{% endif %}{% if sale.to_pay != "" %}\n\nStill to be paid: {{ sale.to_pay }}.{% endif %}'

export const defaultWorkflows: Record<ChangeTrigger, WorkflowInput> = {
  'booking-moved': {
    ...atOnce,
    name: 'Moved',
    trigger: 'booking-moved',
    subject: 'Moved: {{ product.name }}, your booking {{ booking.reference }}',
    body: `${greeting}\n\nyour booking is moved${origin}. It is now:\n\n{{ product.name }}\n${place}\n{{ booking.units }}\nBooking reference: {{ booking.reference }}${moneyOfMove}\n\n{{ account.name }}`,
  },
  'booking-cancelled': {
    ...atOnce,
    name: 'Cancelled',
    trigger: 'booking-cancelled',
    subject: 'Cancelled: {{ product.name }}, your booking {{ booking.reference }}',
    body: `${greeting}\n\nyour booking is cancelled:\n\n{{ product.name }}\n${place}\nBooking reference: {{ booking.reference }}{% if booking.refund != "" %}\n\nYou get back {{ booking.refund }}.{% endif %}\n\n{{ account.name }}`,
  },
}

/** Makes the workflows of a new account, which has none yet. */
export async function insertDefaultWorkflows(tx: Transaction, accountId: number): Promise<void> {
  for (const workflow of Object.values(defaultWorkflows)) await insertWorkflow(tx, accountId, workflow)
}
