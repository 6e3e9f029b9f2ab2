/** All SQL of how customers pay. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

export type PaymentSettings = { paymentPage: string | null; contact: string | null }

/** With the name of the operator; an account that set nothing has neither. */
export async function findSettings(sql: Queryable, accountId: number) {
  const [settings] = await sql<(PaymentSettings & { accountName: string })[]>`
    select name as "accountName", payment_page as "paymentPage", contact
    from accounts left join payment_settings on payment_settings.account_id = accounts.account_id
    where accounts.account_id = ${accountId}`
  return settings!
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
