/**
 * Previews an import. In a transaction that is rolled back, it creates an account, copies the products into
 * it, and runs the real import there. So the preview shows exactly the effects of an import. It locks no row
 * of the real account, so sales and changes do not wait. No other transaction sees the events and jobs of the
 * copy. Only `analyze`, `vacuum` and migrations of the tables of the catalogue wait until the preview
 * ends. A preview costs the database about as much as two imports.
 */
import { randomUUID } from 'node:crypto'
import { createAccount } from '../../accounts/service.ts'
import { theService } from '../../events/actor.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { inDiscardedTransaction } from '../../platform/postgres/discarding.ts'
import { copyProductLanguage } from '../translation-queries.ts'
import { compareProducts, type ProductDifference } from './compare.ts'
import { copyProducts, listTimeslotDifferences, type TimeslotDifference } from './copy-queries.ts'
import { exportProducts } from './exporting.ts'
import { analyzeCatalogue } from './queries.ts'
import { readCatalogue } from './reading.ts'
import { type ImportReport, importCatalogueWithin } from './service.ts'

export type ImportPreview = {
  report: ImportReport
  products: ProductDifference[]
  /** The earliest timeslots of each kind of difference. */
  timeslots: TimeslotDifference[]
}

const timeslotsNamed = 5

/**
 * Returns the changes that importCatalogue() would make now. It changes nothing, and locks no row of the
 * account.
 * @throws CatalogueFileError with all errors of the file.
 */
export function previewImport(
  sql: Sql,
  accountId: number,
  text: string,
  options: { horizonDays: number },
): Promise<ImportPreview> {
  return inDiscardedTransaction(sql, async (tx) => {
    const { existing } = await readCatalogue(tx, accountId, text)
    const productIds = [...existing.products.values()].flatMap(({ id }) => id ?? [])
    const copy = await createAccount(tx, {
      slug: `preview-${randomUUID()}`,
      name: 'Preview',
      timeZone: 'UTC',
    })
    const accounts = { from: accountId, to: copy.id }
    await copyProductLanguage(tx, accounts)
    await copyProducts(tx, accounts, productIds)
    // Without statistics that include the new account, the planner expects it to have no rows, and chooses
    // nested loops for 100,000 rows.
    await analyzeCatalogue(tx)
    const before = await exportProducts(tx, copy.id)
    const report = await importCatalogueWithin(tx, { accountId: copy.id, actor: theService }, text, options)
    const products = compareProducts(before, await exportProducts(tx, copy.id))
    const timeslots = await listTimeslotDifferences(tx, accounts, { productIds, named: timeslotsNamed })
    return { report, products, timeslots }
  })
}
