/** Use cases of the business details and the logo of an account: read, replace and remove them. */
import { createHash } from 'node:crypto'
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { readLogo } from './logo-model.ts'
import * as logos from './logo-queries.ts'
import { findDetails, replaceDetails } from './queries.ts'
import type { BusinessDetailsRequest } from './schemas.ts'

export { findSeller, type Seller } from './queries.ts'

/** The business details of an account. A detail that is not set is null; `AddressLines` is an empty list. */
export async function readBusinessDetails(
  sql: Queryable,
  accountId: number,
): Promise<Required<BusinessDetailsRequest>> {
  const set = await findDetails(sql, accountId)
  return {
    ...{ LegalName: set?.legalName ?? null, AddressLines: set?.addressLines ?? [] },
    ...{ TaxNumber: set?.taxNumber ?? null, Phone: set?.phone ?? null, Email: set?.email ?? null },
    ...{ Locale: set?.locale ?? null, Colour: set?.colour ?? null },
  }
}

/** Replaces the details, except the logo; a field that is left out is removed. Equal details change nothing. */
export async function replaceBusinessDetails(
  tx: Transaction,
  { accountId, actor }: Authorship,
  request: BusinessDetailsRequest,
): Promise<void> {
  const { LegalName = null, AddressLines = [], TaxNumber = null, Phone = null, Email = null } = request
  const { Locale = null, Colour = null } = request
  const details = { LegalName, AddressLines, TaxNumber, Phone, Email, Locale, Colour }
  await lockAccount(tx, accountId)
  const existing = await readBusinessDetails(tx, accountId)
  const textOf = (value: string | string[] | null) => [value].flat().join('\n')
  const names = Object.keys(details) as (keyof typeof details)[]
  const fields = names.filter((name) => textOf(details[name]) !== textOf(existing[name]))
  if (fields.length === 0) return
  await replaceDetails(tx, accountId, {
    ...{ legalName: LegalName, addressLines: AddressLines, taxNumber: TaxNumber },
    ...{ phone: Phone, email: Email, locale: Locale, colour: Colour },
  })
  await appendEvents(tx, [changed({ accountId, actor }, fields)])
}

/**
 * Replaces the logo. An equal logo changes nothing.
 * @throws Problem validation if readLogo() refuses the picture.
 */
export async function replaceLogo(tx: Transaction, by: Authorship, image: Buffer): Promise<void> {
  const { type, fault } = readLogo(image)
  if (type === null) throw problems.validation([{ field: 'Image', message: fault }])
  const hash = createHash('sha256').update(image).digest('hex').slice(0, 32)
  await lockAccount(tx, by.accountId)
  if ((await logos.describeLogo(tx, by.accountId))?.hash === hash) return
  await logos.upsertLogo(tx, by.accountId, { hash, type, image })
  await appendEvents(tx, [changed(by, ['Logo'])])
}

/** Removes the logo, if there is one. */
export async function removeLogo(tx: Transaction, by: Authorship): Promise<void> {
  await lockAccount(tx, by.accountId)
  if (!(await logos.describeLogo(tx, by.accountId))) return
  await logos.deleteLogo(tx, by.accountId)
  await appendEvents(tx, [changed(by, ['Logo'])])
}

function changed({ accountId, actor }: Authorship, fields: string[]) {
  return { accountId, actor, type: 'business-details.changed', details: { Fields: fields } } as const
}
