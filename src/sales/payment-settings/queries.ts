/** All SQL of how customers pay. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

export type PaymentSettings = { paymentPage: string | null; contact: string | null }

/** An account that set nothing has neither. */
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
