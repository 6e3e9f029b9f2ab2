/**
 * Creates the demo account of `npm start`: the example catalogue, a promotion code, payment settings, business details
 * with a logo, a live key, a test key, and one user.
 */
import { readFile } from 'node:fs/promises'
import { createAccount, createKey, lockWhileEmpty } from '../accounts/service.ts'
import { makePassword } from '../accounts/users/model.ts'
import { createUser } from '../accounts/users/service.ts'
import { importCatalogueWithin } from '../catalogue/file/service.ts'
import { theService } from '../events/actor.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { projectPath } from '../platform/project/paths.ts'
import { replaceBusinessDetails, replaceLogo } from '../sales/business-details/service.ts'
import { replacePaymentSettings } from '../sales/payment-settings/service.ts'
import { createPromotion } from '../sales/promotion/service.ts'
import { createTestKeyWithin } from '../test-mode/service.ts'

export type Demo = {
  key: string
  testKey: string
  user: { account: string; email: string; password: string }
}

/**
 * Creates the account in one transaction. If several processes call this at once, only one creates it.
 * @returns the keys and the owner’s password, which cannot be read again later; null if the database already has an
 * account.
 */
export async function seedDemo(sql: Sql, options: { horizonDays: number }): Promise<Demo | null> {
  const catalogue = await readFile(projectPath('docs', 'catalogue.example.json'), 'utf8')
  const logo = await readFile(projectPath('assets', 'demo-logo.png'))
  return sql.begin(async (tx) => {
    if (!(await lockWhileEmpty(tx))) return null
    const account = { slug: 'demo', name: 'Lagos Sea & Cliff', timeZone: 'Europe/Lisbon' }
    const { id } = await createAccount(tx, account)
    const by = { accountId: id, actor: theService }
    await importCatalogueWithin(tx, by, catalogue, options)
    await createPromotion(tx, by, { Code: 'SUMMER-10', Percent: '10' })
    await replacePaymentSettings(tx, by, { Contact: '+351 282 555 010, desk@example.com' })
    await replaceBusinessDetails(tx, by, {
      LegalName: 'Lagos Mar e Falésia, Lda.',
      AddressLines: ['Avenida dos Descobrimentos 41', '8600-645 Lagos', 'Portugal'],
      TaxNumber: 'PT 509 999 990',
      Phone: '+351 282 555 010',
      Email: 'desk@example.com',
      Colour: '#0b6e7f',
    })
    await replaceLogo(tx, by, logo)
    const scopes = ['ota', 'usage:read', 'usage:write', 'operator'] as const
    const user = { account: account.slug, email: 'owner@example.com', password: makePassword() }
    await createUser(tx, { accountId: id, role: 'owner', ...user })
    const request = { accountId: id, partner: null, scopes, expiresInDays: null }
    const key = await createKey(tx, request)
    return { key, testKey: await createTestKeyWithin(tx, request), user }
  })
}
