/** The demo operator of a first look: the shipped example of a catalogue, and one key that opens it. */
import { readFile } from 'node:fs/promises'
import { createAccount, createKey, lockWhileEmpty } from '../accounts/service.ts'
import { importCatalogueWithin } from '../catalogue-file/service.ts'
import type { Sql } from '../platform/database.ts'
import { projectPath } from '../platform/paths.ts'

/**
 * Makes the account `demo` with its catalogue and key, all or nothing. Of several processes that call it at
 * once, one does it.
 * @returns the key, which is shown nowhere again; null, and nothing done, when there is any account already.
 */
export async function seedDemo(sql: Sql, options: { horizonDays: number }): Promise<{ key: string } | null> {
  const catalogue = await readFile(projectPath('docs', 'catalogue.example.json'), 'utf8')
  return sql.begin(async (tx) => {
    if (!(await lockWhileEmpty(tx))) return null
    const account = { slug: 'demo', name: 'Lagos Sea & Cliff', timeZone: 'Europe/Lisbon' }
    const { id } = await createAccount(tx, account)
    await importCatalogueWithin(tx, id, catalogue, options)
    const scopes = ['ota', 'usage:read', 'usage:write', 'operator'] as const
    return { key: await createKey(tx, { accountId: id, partner: null, scopes, expiresInDays: null }) }
  })
}
