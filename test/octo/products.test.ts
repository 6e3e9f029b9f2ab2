/** The products, options and units that a reseller reads through OCTO. */
import t from 'tap'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'
import { checkPublished } from './published.ts'
import { everyCapability, makeReseller } from './reseller.ts'

t.test(
  'a product has one option, its units and their restrictions, as the published schemas say',
  async (t) => {
    const { ask, sql, accountId, id, activityId } = await makeReseller(t, {
      slots: { '2030-06-15 10:00': 8, '2030-06-16 14:00': 8 },
    })
    await sql`update products set cancel_cutoff_minutes = 2880, max_places = 10 where id = ${id}`
    await giveUnits(sql, accountId, id, [{ name: 'Adult' }, { name: 'Child', priceMinor: 2000 }])
    const one = await ask('GET', `/products/${activityId}`)
    t.equal(one.status, 200)
    checkPublished(t, 'Product', one.body)
    t.match(one.body, { id: activityId, availabilityType: 'START_TIME', timeZone: 'Europe/Lisbon' })
    const [option] = one.body.options
    t.match(option, {
      id: 'DEFAULT',
      availabilityLocalStartTimes: ['10:00', '14:00'],
      cancellationCutoff: '2 days',
      restrictions: { minUnits: 1, maxUnits: 10 },
    })
    const all = await ask('GET', '/products')
    t.same(all.body, [one.body])
  },
)
