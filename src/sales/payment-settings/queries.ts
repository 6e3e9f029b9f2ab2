/** The SQL of payment settings. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

export type PaymentSettings = { paymentPage: string | null; contact: string | null }

/** The payment settings of an account. Both fields are null if nothing is set. */
export async function findSettings(sql: Queryable, accountId: number): Promise<PaymentSettings> {
  const [settings] = await sql<PaymentSettings[]>`
    select payment_page as "paymentPage", contact from payment_settings where account_id = ${accountId}`
  return settings ?? { paymentPage: null, contact: null }
}

export async function replaceSettings(
  tx: Transaction,
  accountId: number,
  { paymentPage, contact }: PaymentSettings,
): Promise<void> {
  await tx`
    insert into payment_settings (account_id, payment_page, contact)
    values (${accountId}, ${paymentPage}, ${contact})
    on conflict (account_id) do update set
      payment_page = excluded.payment_page, contact = excluded.contact, changed_at = app_now()`
}
