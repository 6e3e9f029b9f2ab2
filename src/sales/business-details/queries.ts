/** All SQL of who the operator is in business. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

export type BusinessDetails = {
  legalName: string | null
  addressLines: string[]
  taxNumber: string | null
  phone: string | null
  email: string | null
}

/** Who sells: what customers and receipts are told of an account. */
export type Seller = BusinessDetails & {
  name: string
  timeZone: string
  /** Where customers ask how to pay, of the payment settings. */
  contact: string | null
}

/** Also of an account that set nothing. */
export async function findSeller(sql: Queryable, accountId: number): Promise<Seller> {
  const [seller] = await sql<Seller[]>`
    select name, time_zone as "timeZone", legal_name as "legalName", coalesce(address_lines, '{}') as "addressLines",
      tax_number as "taxNumber", details.phone, details.email, contact
    from accounts
    left join business_details as details on details.account_id = accounts.account_id
    left join payment_settings on payment_settings.account_id = accounts.account_id
    where accounts.account_id = ${accountId}`
  return seller!
}

export async function replaceDetails(
  tx: Transaction,
  accountId: number,
  { legalName, addressLines, taxNumber, phone, email }: BusinessDetails,
): Promise<void> {
  await tx`
    insert into business_details (account_id, legal_name, address_lines, tax_number, phone, email)
    values (${accountId}, ${legalName}, ${addressLines}::text[], ${taxNumber}, ${phone}, ${email})
    on conflict (account_id) do update set
      legal_name = excluded.legal_name, address_lines = excluded.address_lines, tax_number = excluded.tax_number,
      phone = excluded.phone, email = excluded.email, changed_at = app_now()`
}
