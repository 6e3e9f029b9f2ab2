/** A partner's change feed while bookings are made between the queries of one page. */
import t from 'tap'
import { findCaller } from '../../../src/accounts/service.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { listOwnBookings } from '../../../src/sales/booking/partner/service.ts'
import { pumpEvents } from '../../pump.ts'
import { openDesk } from './fixtures.ts'

/** A connection that runs `work` after its first query has returned, before the caller gets the rows. */
function interruptedAfterFirst(sql: Sql, work: () => Promise<void>): Sql {
  let isFirst = true
  return new Proxy(sql, {
    apply(target, self, values) {
      const query = Reflect.apply(target as never, self, values) as Promise<unknown>
      if (!isFirst) return query
      isFirst = false
      return query.then(async (rows) => {
        await work()
        return rows
      })
    },
  })
}

t.test(
  'a booking that is made while a page of the feed is read is on that page, and on no later one',
  async (t) => {
    const { sql, book, partner } = await openDesk(t)
    const caller = (await findCaller(sql, partner.token))!
    const read = async (on: Sql, cursor?: string) => {
      const { bookings, next } = await listOwnBookings(on, caller, cursor ? { Cursor: cursor } : {})
      return { references: bookings.map(({ BookingReference }) => BookingReference), next: next! }
    }
    const before = await book()
    await pumpEvents(sql)
    const start = await read(sql)
    t.same(start.references, [before])

    let made = ''
    const interrupted = interruptedAfterFirst(sql, async () => {
      made = await book()
      await pumpEvents(sql)
    })
    const page = await read(interrupted, start.next)
    t.same(page.references, [made])
    t.same((await read(sql, page.next)).references, [])

    const later = await book()
    await pumpEvents(sql)
    t.same((await read(sql, page.next)).references, [later])
  },
)
