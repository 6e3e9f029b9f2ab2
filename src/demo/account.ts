/** The demo operator of a first look: the shipped example of a catalogue, a live and a test key, and one user. */
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
 * Makes the account `demo` with its catalogue, promotion code, keys and owner, all or nothing. Of several processes that
 * call it at once, one does it.
 * @returns the keys and the owner’s password, which are shown nowhere again; null, and nothing done, when there is any
 * account already.
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
