/** The demo account as a reseller reads it through OCTO, without further set-up. */
import t from 'tap'
import { findCaller } from '../../src/accounts/service.ts'
import { seedDemo } from '../../src/demo/account.ts'
import { sellDemo } from '../../src/demo/trade.ts'
import { addDays, dateIn } from '../../src/platform/text/calendar.ts'
import { build } from '../helper.ts'
import { checkPublished } from './published.ts'
import { everyCapability } from './reseller.ts'

type Listed = {
  id: string
  availabilityType: string
  timeZone: string
  options: { units: { type: string }[] }[]
}
type Day = { localDate: string; status: string; available: boolean }

t.test(
  'the demo shows start times, opening hours, several units and a sold-out day through OCTO',
  async (t) => {
    const { app, sql } = await build(t)
    const { key } = (await seedDemo(sql, { horizonDays: 60 }))!
    await sellDemo(sql, key)
    t.ok(await findCaller(sql, key))
    const headers = { authorization: `Bearer ${key}`, 'octo-capabilities': everyCapability.join() }
    const products: Listed[] = (await app.inject({ url: '/octo/products', headers })).json()
    checkPublished(t, 'Product', products, { capabilities: everyCapability })
    t.ok(products.some(({ availabilityType }) => availabilityType === 'START_TIME'))
    const museum = products.find(({ availabilityType }) => availabilityType === 'OPENING_HOURS')!
    t.same(
      museum.options[0]!.units.map(({ type }) => type),
      ['ADULT', 'CHILD', 'SENIOR'],
    )
    const today = dateIn(museum.timeZone, new Date())
    const dates = { localDateStart: addDays(today, 1), localDateEnd: addDays(today, 14) }
    const days: Day[] = []
    for (const { id: productId } of products) {
      const payload = { productId, optionId: 'DEFAULT', ...dates }
      const ask = (url: string) => app.inject({ method: 'POST', url, headers, payload })
      const calendar = (await ask('/octo/availability/calendar')).json()
      checkPublished(t, 'AvailabilityCalendar', calendar, { capabilities: everyCapability })
      const timeslots = (await ask('/octo/availability')).json()
      checkPublished(t, 'Availability', timeslots, { capabilities: everyCapability })
      days.push(...calendar)
    }
    t.ok(days.some(({ status, available }) => status === 'SOLD_OUT' && !available))
    t.ok(days.some(({ status, available }) => status === 'AVAILABLE' && available))
  },
)
