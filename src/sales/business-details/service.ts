/** The use case of saying who the operator is in business. */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { findSeller, replaceDetails } from './queries.ts'
import type { BusinessDetailsView } from './schemas.ts'

export { findSeller, type Seller } from './queries.ts'

/** What is set; nulls and no lines of an account that set nothing. */
export async function readBusinessDetails(sql: Queryable, accountId: number): Promise<BusinessDetailsView> {
  const { legalName, addressLines, taxNumber, phone, email } = await findSeller(sql, accountId)
  return {
    ...{ LegalName: legalName, AddressLines: addressLines, TaxNumber: taxNumber },
    ...{ Phone: phone, Email: email },
  }
}

/** Replaces all of it; what is left out is set no more. The same once more changes nothing. */
export async function replaceBusinessDetails(
  tx: Transaction,
  { accountId, actor }: Authorship,
  request: Partial<BusinessDetailsView>,
): Promise<BusinessDetailsView> {
  const { LegalName = null, AddressLines = [], TaxNumber = null, Phone = null, Email = null } = request
  const details = { LegalName, AddressLines, TaxNumber, Phone, Email }
  await lockAccount(tx, accountId)
  const standing = await readBusinessDetails(tx, accountId)
  const textOf = (value: string | string[] | null) => [value].flat().join('\n')
  const names = Object.keys(details) as (keyof BusinessDetailsView)[]
  const fields = names.filter((name) => textOf(details[name]) !== textOf(standing[name]))
  if (fields.length > 0) {
    await replaceDetails(tx, accountId, {
      ...{ legalName: LegalName, addressLines: AddressLines, taxNumber: TaxNumber },
      ...{ phone: Phone, email: Email },
    })
    const type = 'business-details.changed'
    await appendEvents(tx, [{ accountId, actor, type, details: { Fields: fields } }])
  }
  return details
}
