/** The use case that replaces the payment settings of an account. */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { checkPaymentPage } from './model.ts'
import { findSettings, replaceSettings } from './queries.ts'
import type { PaymentSettingsView } from './schemas.ts'

export { findSettings, type PaymentSettings } from './queries.ts'

/**
 * Replaces both fields; a field that is left out is removed. Equal settings change nothing and append no event.
 * @throws Problem validation for an invalid address.
 */
export async function replacePaymentSettings(
  tx: Transaction,
  { accountId, actor }: Authorship,
  { PaymentPage: paymentPage = null, Contact: contact = null }: Partial<PaymentSettingsView>,
): Promise<PaymentSettingsView> {
  const message = paymentPage === null ? null : checkPaymentPage(paymentPage)
  if (message) throw problems.validation([{ field: 'PaymentPage', message }])
  await lockAccount(tx, accountId)
  const existing = await findSettings(tx, accountId)
  const fields = [
    ...(existing.paymentPage === paymentPage ? [] : ['PaymentPage']),
    ...(existing.contact === contact ? [] : ['Contact']),
  ]
  if (fields.length > 0) {
    await replaceSettings(tx, accountId, { paymentPage, contact })
    const type = 'payment-settings.changed'
    await appendEvents(tx, [{ accountId, actor, type, details: { Fields: fields } }])
  }
  return { PaymentPage: paymentPage, Contact: contact }
}
