/** The SQL of business details, and of the seller that customers see. */

import { productLanguage } from '../../catalogue/translation-queries.ts'
import { defaultLocale, type Language, type Locale } from '../../languages/locales.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { logoPath } from './logo-model.ts'

export type BusinessDetails = {
  legalName: string | null
  addressLines: string[]
  taxNumber: string | null
  phone: string | null
  email: string | null
  /** Null for the default locale. */
  locale: Locale | null
  /** `#rrggbb`. */
  colour: string | null
}

/** The data of an account that its customers see on pages, e-mails and receipts. */
export type Seller = Omit<BusinessDetails, 'locale'> & {
  locale: Locale
  /** The language in which the texts of its products are written. */
  productLanguage: Language
  /** The path of its logo; null for none. */
  logoPath: string | null
  name: string
  timeZone: string
  /** The contact in the payment settings: whom customers ask how they can pay. */
  contact: string | null
}

/** The seller of an account, even if the account has no business details. */
export async function findSeller(sql: Queryable, accountId: number): Promise<Seller> {
  const [found] = await sql<(Omit<Seller, 'locale' | 'logoPath'> & SellerRow)[]>`
    select name, time_zone as "timeZone", legal_name as "legalName", coalesce(address_lines, '{}') as "addressLines",
      tax_number as "taxNumber", details.phone, details.email, contact, locale, colour, logos.hash,
      ${productLanguage(sql, sql`${accountId}::bigint`)} as "productLanguage"
    from accounts
    left join business_details as details on details.account_id = accounts.account_id
    left join payment_settings on payment_settings.account_id = accounts.account_id
    left join logos on logos.account_id = accounts.account_id
    where accounts.account_id = ${accountId}`
  const { hash, locale, ...seller } = found!
  return { ...seller, locale: locale ?? defaultLocale, logoPath: hash && logoPath(accountId, hash) }
}

type SellerRow = Pick<BusinessDetails, 'locale'> & { hash: string | null }

/**
 * The business details of an account; null if none were ever set. A detail that is not set is null, and
 * `addressLines` is an empty list.
 */
export async function findDetails(sql: Queryable, accountId: number): Promise<BusinessDetails | null> {
  const [details] = await sql<BusinessDetails[]>`
    select legal_name as "legalName", address_lines as "addressLines", tax_number as "taxNumber", phone, email,
      locale, colour
    from business_details where account_id = ${accountId}`
  return details ?? null
}

export async function replaceDetails(
  tx: Transaction,
  accountId: number,
  { legalName, addressLines, taxNumber, phone, email, locale, colour }: BusinessDetails,
): Promise<void> {
  await tx`
    insert into business_details (account_id, legal_name, address_lines, tax_number, phone, email, locale, colour)
    values (${accountId}, ${legalName}, ${addressLines}::text[], ${taxNumber}, ${phone}, ${email}, ${locale}, ${colour})
    on conflict (account_id) do update set
      legal_name = excluded.legal_name, address_lines = excluded.address_lines, tax_number = excluded.tax_number,
      phone = excluded.phone, email = excluded.email, locale = excluded.locale, colour = excluded.colour,
      changed_at = app_now()`
}
