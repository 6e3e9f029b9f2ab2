/** The days that a web process caches: a response shows each change whose event was committed before the request. */
import t, { type Test } from 'tap'
import { createDayCache } from '../../../src/catalogue/availability/day-cache.ts'
import type { LogCheck } from '../../../src/catalogue/availability/queries.ts'
import { theService } from '../../../src/events/actor.ts'
import { appendEvents } from '../../../src/events/append.ts'
import type { NewEvent } from '../../../src/events/event.ts'
import { createPump } from '../../../src/events/pump/pump.ts'
import type { Transaction } from '../../../src/platform/postgres/database.ts'
import { bookingBody, build, buildOn, makeCaller, makeProduct } from '../../helper.ts'

const [friday, saturday] = ['2030-06-14', '2030-06-15']

async function prepare(t: Test) {
  const built = await build(t)
  const { sql, app, services } = built
  const caller = await makeCaller(sql, { scopes: ['ota', 'operator'] })
  const { accountId, headers } = caller
  const slots = { [`${friday} 10:00`]: 8, [`${saturday} 10:00`]: 8 }
  const product = await makeProduct(sql, accountId, { slots })
  const base = `/api/v2/ota/marketplace/availability/${product.activityId}`
  const [first, second] = await sql<{ id: number }[]>`select id from timeslots order by date`
  return {
    ...{ ...built, ...product, accountId, headers },
    slots: { friday: first!.id, saturday: second!.id },
    /**
     * Reads the free places on Friday and on Saturday from the list of dates, 0 for a day that is not listed, and
     * checks that the lists of timeslots show the same. Returns both numbers.
     */
    async free(): Promise<number[]> {
      const dates = await app.inject({
        url: `${base}/dates?StartDate=${friday}&EndDate=${saturday}`,
        headers,
      })
      const listed = new Map(
        dates.json().data.map((one: { Date: string; Available: number }) => [one.Date, one.Available]),
      )
      const free = [friday, saturday].map((date) => Number(listed.get(date) ?? 0))
      for (const [index, date] of [friday, saturday].entries()) {
        const timeslots = await app.inject({ url: `${base}/timeslots?Date=${date}`, headers })
        t.equal(timeslots.json().data[0]?.Available ?? 0, free[index], `timeslots of ${date}`)
      }
      return free
    },
    timeslots: async () =>
      (await app.inject({ url: `${base}/timeslots?Date=${saturday}`, headers })).json().data,
    book: (on = app) =>
      on.inject({
        method: 'POST',
        url: '/api/v2/ota/marketplace/booking',
        headers,
        payload: bookingBody(product.activityId, { Date: saturday, Participants: 2 }),
      }),
    pump: createPump({ sql, log: services.log, consumers: [] }),
    /** Appends the event of a change, in the transaction of the change, as every part of the service does. */
    change: (tx: Transaction, event: Partial<NewEvent>) =>
      appendEvents(tx, [{ accountId, actor: theService, details: {}, ...event } as NewEvent]),
  }
}

t.test('a cached day is not read again while no event refers to it', async (t) => {
  const { sql, free } = await prepare(t)
  t.same(await free(), [8, 8])
  await sql`update timeslots set booked = 5`
  t.same(await free(), [8, 8])
})

t.test(
  'a client that has just booked sees fewer free places, before and after the event of the booking gets its number',
  async (t) => {
    const { free, book, pump } = await prepare(t)
    t.same(await free(), [8, 8])
    t.equal((await book()).statusCode, 201)
    t.same(await free(), [8, 6])
    await pump()
    t.same(await free(), [8, 6])
    await book()
    await pump()
    t.same(await free(), [8, 4])
    await pump()
    t.same(await free(), [8, 4])
  },
)

t.test('a booking through one web process is visible in another at once', async (t) => {
  const { free, book, url, pump } = await prepare(t)
  const { app: other } = await buildOn(t, url, { QUEUE_PREFIX: '{other}' })
  t.same(await free(), [8, 8])
  await book(other)
  t.same(await free(), [8, 6])
  await book(other)
  await pump()
  t.same(await free(), [8, 4])
})

t.test(
  'a change is visible when it commits, even if events with higher ids already have numbers',
  async (t) => {
    const { sql, free, book, pump, change, slots } = await prepare(t)
    t.same(await free(), [8, 8])
    let commit = () => {}
    const until = new Promise<void>((resolve) => {
      commit = resolve
    })
    let written = () => {}
    const isWritten = new Promise<void>((resolve) => {
      written = resolve
    })
    const slow = sql.begin(async (tx) => {
      await tx`update timeslots set held = 3 where id = ${slots.friday}`
      await change(tx, { type: 'booking.held', timeslotId: slots.friday })
      written()
      await until
    })
    await isWritten
    await book()
    await pump()
    t.same(await free(), [8, 6])
    commit()
    await slow
    t.same(await free(), [5, 6])
    await pump()
    t.same(await free(), [5, 6])
  },
)

t.test('a booking that moves is visible on both days', async (t) => {
  const { sql, free, change, slots, id } = await prepare(t)
  await sql`update timeslots set booked = 2 where id = ${slots.friday}`
  t.same(await free(), [6, 8])
  await sql.begin(async (tx) => {
    await tx`update timeslots set booked = 2 - booked`
    const from = { ProductID: id, TimeslotID: slots.friday, Date: friday, Time: '10:00' }
    const to = { ProductID: id, TimeslotID: slots.saturday, Date: saturday, Time: '10:00' }
    await change(tx, { type: 'booking.moved', timeslotId: slots.saturday, details: { From: from, To: to } })
  })
  t.same(await free(), [8, 6])
})

t.test('when a timeslot is closed or removed, its day shows that at once', async (t) => {
  const { sql, free, change, slots, id: productId } = await prepare(t)
  t.same(await free(), [8, 8])
  await sql.begin(async (tx) => {
    await tx`update timeslots set status = 'closed' where id = ${slots.saturday}`
    await change(tx, { type: 'timeslot.closed', timeslotId: slots.saturday, productId })
  })
  t.same(await free(), [8, 0])
  await sql.begin(async (tx) => {
    await tx`delete from timeslots where id = ${slots.friday}`
    const details = { Date: friday, Time: '10:00' }
    await change(tx, { type: 'timeslot.removed', timeslotId: slots.friday, productId, details })
  })
  t.same(await free(), [0, 0])
})

t.test('a new timeslot is listed at once, also on a day that had none', async (t) => {
  const { app, headers, timeslots, id, activityId } = await prepare(t)
  const sunday = '2030-06-16'
  const dates = async () => {
    const url = `/api/v2/ota/marketplace/availability/${activityId}/dates?StartDate=${saturday}&EndDate=${sunday}`
    const { data } = (await app.inject({ url, headers })).json()
    return data.map((one: { Date: string; Available: number }) => [one.Date, one.Available])
  }
  t.same(await dates(), [[saturday, 8]])
  for (const slot of [
    { Date: saturday, Time: '12:00' },
    { Date: sunday, Time: '10:00' },
  ]) {
    const url = `/api/v2/operator/products/${id}/timeslots`
    const made = await app.inject({ method: 'POST', url, headers, payload: { ...slot, Capacity: 4 } })
    t.equal(made.statusCode, 201, made.body)
  }
  t.same(await dates(), [
    [saturday, 12],
    [sunday, 4],
  ])
  t.match(await timeslots(), [
    { Time: '10:00', Available: 8 },
    { Time: '12:00', Available: 4 },
  ])
})

t.test(
  'a longer duration changes the ends of timeslots at once, and a product that leaves the shopfront lists none',
  async (t) => {
    const { app, sql, headers, timeslots, id } = await prepare(t)
    t.match(await timeslots(), [{ EndsAt: `${saturday}T11:30:00+01:00` }])
    const url = `/api/v2/operator/products/${id}`
    const changed = await app.inject({ method: 'PATCH', url, headers, payload: { DurationMinutes: 120 } })
    t.equal(changed.statusCode, 200, changed.body)
    t.match(await timeslots(), [{ EndsAt: `${saturday}T12:00:00+01:00` }])
    await sql`update products set in_shopfront = false`
    t.equal(await timeslots(), undefined)
  },
)

t.test('after a thousand events at once, every day is read again', async (t) => {
  const { sql, free, accountId } = await prepare(t)
  t.same(await free(), [8, 8])
  await sql`update timeslots set booked = 5`
  await sql`
    insert into events (account_id, type, actor, details)
    select ${accountId}, 'basket.opened', 'service', '{}' from generate_series(1, 1000)`
  t.same(await free(), [3, 3])
})

t.test('tomorrow’s timeslots are read for each request, because they may have begun since', async (t) => {
  const { sql, app, accountId, headers } = await prepare(t)
  const [tomorrow] = await sql<{ date: string }[]>`
    select (now() at time zone 'Europe/Lisbon')::date + 1 as date`
  const { date } = tomorrow!
  const { activityId } = await makeProduct(sql, accountId, { name: 'Soon', slots: { [`${date} 10:00`]: 8 } })
  const url = `/api/v2/ota/marketplace/availability/${activityId}/dates?StartDate=${date}&EndDate=${date}`
  const free = async () => (await app.inject({ url, headers })).json().data.length
  t.equal(await free(), 1)
  await sql`update timeslots set starts_at = now() - interval '1 second'`
  t.equal(await free(), 0)
})

const check: LogCheck = {
  ...{ accountId: 1, productId: 12, settledFrom: 100, epoch: 1, number: 5, changedDays: [] },
}
const read = new Map([
  [99, ['begins soon']],
  [100, ['later']],
])

t.test(
  'days that were read are not cached if a later check of the log has found new events meanwhile',
  async (t) => {
    const days = createDayCache<string>()
    const account = days.apply(days.open(1), check)
    days.apply(days.open(1), { ...check, number: 6, changedDays: ['12 100'] })
    days.store(account, check, read)
    t.equal(account.products.get(12)?.get(100), undefined)
    days.store(account, { ...check, number: 6 }, read)
    t.same(days.open(1)?.products.get(12), new Map([[100, ['later']]]))
  },
)

t.test('a new epoch of the log discards the cached days', async (t) => {
  const days = createDayCache<string>()
  days.store(days.apply(days.open(1), check), check, read)
  const after = days.apply(days.open(1), { ...check, epoch: 2, number: 3 })
  t.same([after.number, after.products.size], [3, 0])
  t.equal(days.open(1), after)
})

t.test(
  'an account may use free space of the cache up to a limit, and never displaces days of other accounts',
  async (t) => {
    const days = createDayCache<string>()
    const other = { ...check, accountId: 2 }
    days.store(days.apply(days.open(2), other), other, read)
    const year = new Map(Array.from({ length: 366 }, (_, day) => [1000 + day, ['a', 'b']]))
    let most = 0
    for (let productId = 1; productId <= 300; productId++) {
      const account = days.apply(days.open(1), check)
      days.store(account, { ...check, productId }, year)
      most = Math.max(most, days.open(1)?.products.size ?? 0)
    }
    t.ok(most > 80 && most < 100, `${most} products with a cached year`)
    t.ok(days.open(1)!.products.size > 60, 'the oldest days are discarded, and not all of them')
    t.same(days.open(2)?.products.get(12), new Map([[100, ['later']]]))
  },
)

t.test('products without a cached day count towards the limit', async (t) => {
  const days = createDayCache<string>()
  let most = 0
  for (let productId = 1; productId <= 130_000; productId++) {
    const account = days.apply(days.open(1), check)
    days.store(account, { ...check, productId }, new Map([[99, ['begins soon']]]))
    most = Math.max(most, days.open(1)?.products.size ?? 0)
  }
  t.ok(most > 90_000 && most < 101_000, `${most} products`)
})

t.test('the cached days of all accounts together have a limit', async (t) => {
  const days = createDayCache<string>()
  const year = new Map(Array.from({ length: 366 }, (_, day) => [1000 + day, ['a', 'b']]))
  for (let accountId = 1; accountId <= 150; accountId++) {
    const own = { ...check, accountId }
    days.store(days.apply(days.open(accountId), own), own, year)
  }
  const kept = Array.from({ length: 150 }, (_, index) => days.open(index + 1)).filter(Boolean)
  t.ok(kept.length > 20 && kept.length < 100, `${kept.length} of 150 accounts`)
})
