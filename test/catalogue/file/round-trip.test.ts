/** An import reads what an export writes, for any catalogue. */
import fc from 'fast-check'
import t from 'tap'
import { createAccount } from '../../../src/accounts/service.ts'
import { exportCatalogue } from '../../../src/catalogue/file/exporting.ts'
import { previewImport } from '../../../src/catalogue/file/preview.ts'
import { checkCatalogue } from '../../../src/catalogue/file/reading.ts'
import { CatalogueFileError, importCatalogue } from '../../../src/catalogue/file/service.ts'
import { theService } from '../../../src/events/actor.ts'
import { clockAt } from '../../clock.ts'
import { createDatabase } from '../../helper.ts'
import { catalogues, firstDay } from './catalogues.ts'

const options = { horizonDays: 14 }
const nothingNew = { created: 0, updated: 0, timeslotsMade: 0, capacitiesChanged: 0, timeslotsWithdrawn: 0 }

t.test(
  'any exported catalogue is valid, changes nothing in its own account, and makes the same catalogue in another',
  async (t) => {
    const { sql } = await createDatabase(t, clockAt(`${firstDay}T08:00Z`))
    let accounts = 0
    const makeAccount = async () => {
      const slug = `account-${++accounts}`
      return (await createAccount(sql, { slug, name: slug, timeZone: 'UTC' })).id
    }
    const load = (accountId: number, text: string) =>
      importCatalogue(sql, { accountId, actor: theService }, text, options)

    const property = fc.asyncProperty(catalogues, async (file) => {
      const [here, elsewhere] = [await makeAccount(), await makeAccount()]
      const given = JSON.stringify(file)
      const count = file.Products.length
      await load(here, given)
      const exported = await exportCatalogue(sql, here)
      const text = JSON.stringify(exported)
      for (const accountId of [here, elsewhere, null])
        t.equal(await checkCatalogue(sql, accountId, text), count)
      for (const again of [given, text]) {
        const { report, products, timeslots } = await previewImport(sql, here, again, options)
        t.same([products, timeslots], [[], []])
        t.match(report, { ...nothingNew, unchanged: count })
      }
      await load(elsewhere, text)
      t.same(await exportCatalogue(sql, elsewhere), exported)
      if (!t.passing()) throw new Error(given)
    })
    await fc.assert(property, { numRuns: 20 }).catch((error) => {
      const { cause } = error
      if (cause instanceof CatalogueFileError) t.same(cause.faults, [])
      throw error
    })
  },
)
