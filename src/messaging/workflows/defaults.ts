/** The workflows of a new account, which notify customers of changes. */
import { defaultLocale, type Locale } from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { ChangeTrigger } from '../emails/triggers.ts'
import { insertWorkflow, type WorkflowInput } from './queries.ts'

const atOnce = { offsetMinutes: 0, productId: null, active: true } as const

/** The default workflows in a language. Their variables are written in Liquid. */
export function defaultWorkflowsIn(
  t: Texts,
): Record<ChangeTrigger, WorkflowInput & { trigger: ChangeTrigger }> {
  const name = '{% if customer.first_name != "" %} {{ customer.first_name }}{% endif %}'
  const greeting = t.say('workflow.greeting', { name })
  const about = { product: '{{ product.name }}', reference: '{{ booking.reference }}' }
  const reference = t.say('booking.reference', about)
  const hours = t.say('when.open', { hours: '{{ booking.opening_hours }}' })
  const start = t.say('when.time', { time: '{{ time }}' })
  const when = `{{ date }}{% if booking.all_day %}, ${hours}{% else %} ${start}{% endif %}`
  const before = { product: '{{ moved_from.product }}', when: '{{ moved_from.when }}' }
  const from = t.say('workflow.moved.from', before)
  const fromProduct = t.say('workflow.moved.from-product', before)
  const isOther = 'moved_from.product != "" and moved_from.product != product.name'
  const origin = `{% if ${isOther} %}${fromProduct}{% elsif moved_from.when != "" %}${from}{% endif %}`
  const party = t.say('workflow.amended.from', { party: '{{ party_before.units }}' })
  const partyOrigin = `{% if party_before.units != "" %}${party}{% endif %}`
  const back = t.say('workflow.refund', { amount: '{{ booking.refund }}' })
  // `sale.to_pay_back` includes refunds for earlier changes of the sale.
  const inAll = t.say('workflow.to-pay-back', { amount: '{{ sale.to_pay_back }}' })
  const rest = `{% if sale.to_pay_back != "" and sale.to_pay_back != booking.refund %}\n\n${inAll}{% endif %}`
  const refund = `{% if booking.refund != "" %}\n\n${back}{% endif %}${rest}`
  const refundOfCancelled = `{% if booking.refund != "" %}\n\n${back}{% elsif sale.paid == "" %}\n\n${t.say('email.refund.partner')}{% endif %}${rest}`
  const total = t.say('workflow.price', { amount: '{{ booking.total }}' })
  // A partner sets its own prices for its customers, so e-mails about a partner's booking have no price.
  const price = `{% if sale.paid != "" %}\n${total}{% endif %}`
  const owed = t.say('email.to-pay', { amount: '{{ sale.to_pay }}' })
  const toPay = `{% if sale.to_pay != "" %}\n\n${owed}.{% endif %}`
  const end = '{{ account.name }}'
  return {
    'booking-moved': {
      ...atOnce,
      name: t.say('workflow.moved.name'),
      trigger: 'booking-moved',
      subject: t.say('workflow.moved.subject', about),
      body: `${greeting}\n\n${t.say('workflow.moved', { origin })}\n\n${about.product}\n${when}\n{{ booking.units }}${price}\n${reference}${refund}${toPay}\n\n${end}`,
    },
    'booking-amended': {
      ...atOnce,
      name: t.say('workflow.amended.name'),
      trigger: 'booking-amended',
      subject: t.say('workflow.amended.subject', about),
      body: `${greeting}\n\n${t.say('workflow.amended', { origin: partyOrigin })}\n\n${about.product}\n${when}\n{{ booking.units }}${price}\n${reference}${refund}${toPay}\n\n${end}`,
    },
    'booking-cancelled': {
      ...atOnce,
      name: t.say('workflow.cancelled.name'),
      trigger: 'booking-cancelled',
      subject: t.say('workflow.cancelled.subject', about),
      body: `${greeting}\n\n${t.say('workflow.cancelled')}\n\n${about.product}\n${when}\n${reference}${refundOfCancelled}\n\n${end}`,
    },
  }
}

export const defaultWorkflows = defaultWorkflowsIn(textsIn(defaultLocale))

/** Makes the workflows of a new account in the language of its locale. The account must have no workflows yet. */
export async function insertDefaultWorkflows(
  tx: Transaction,
  accountId: number,
  locale: Locale,
): Promise<void> {
  for (const workflow of Object.values(defaultWorkflowsIn(textsIn(locale))))
    await insertWorkflow(tx, accountId, workflow)
}
