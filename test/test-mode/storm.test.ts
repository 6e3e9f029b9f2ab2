/**
 * A live catalogue that changes while its test account sells. Two loops with their own connections copy the changes;
 * the connections of one are ended several times. At the end, the copy equals the live catalogue, and every test
 * booking is counted once.
 */
import t from 'tap'
import { openDatabase } from '../../src/platform/postgres/database.ts'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { followLive } from '../../src/test-mode/following.ts'
import { createRandom } from '../faults/random.ts'
import { pumpEvents } from '../pump.ts'
import { listCatalogueFaults, makeModes } from './fixtures.ts'

const season = { From: '2030-06-01', To: '2030-06-20', Weekdays: ['Mon', 'Sat', 'Sun'], Capacity: 6 }
const product = (Name: string) => ({
  ...{ Name, Description: '', DurationMinutes: 60, TimeZone: 'Europe/Lisbon', InShopfront: true },
  Price: { Amount: '45.00', Currency: 'EUR' },
})
const days = ['2030-06-15', '2030-06-16', '2030-06-17']

t.test('a live catalogue that changes while its test account sells', async (t) => {
  const world = await makeModes(t, { environment: { SCHEDULE_HORIZON_DAYS: '1500' } })
  const { sql, url, accountId, testId, call, book } = world
  const random = createRandom(17)
  const { pick } = random
  const below = (most: number) => random.whole(0, most - 1)
  const products: { id: number; activityId: string }[] = []
  for (const name of ['Kayak', 'Canoe', 'Sail']) {
    const { data, problem } = await call('POST', '/products', product(name))
    t.ok(data, JSON.stringify(problem))
    products.push({ id: data.ID, activityId: data.ActivityID })
    await call('POST', `/products/${data.ID}/schedules`, { ...season, Times: ['10:00'] })
  }
  const { data: promotion } = await call('POST', '/promotions', { Code: 'TEN', Percent: '10' })
  const test = await world.openTest()
  const [partner] = (await call('GET', '/partners')).data

  const refusals = new Set<number>()
  const note = (status: number) => void (status >= 400 && refusals.add(status))
  const sellInTest = async () => {
    const references: string[] = []
    for (let round = 0; round < 40; round++) {
      const { activityId } = pick(products)
      const line = { ActivityID: activityId, Date: pick(days), Time: '10:00', Participants: 1 + below(3) }
      if (below(4) === 0) {
        const basket = await test.call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
        note(basket.status)
        if (basket.status === 201 && below(2) === 0)
          await test.call('PUT', `/baskets/${basket.json.data.BasketID}/promotion`, { Code: 'TEN' })
      } else if (below(5) === 0) {
        const { Participants } = line
        const party = {
          ...line,
          Participants,
          Customer: { FirstName: 'W', LastName: 'W', Email: 'w@example.com' },
        }
        note((await test.call('POST', '/waitlist', party)).status)
      } else {
        const { status, json } = await test.book(activityId, line)
        note(status)
        if (status === 201) references.push(json.data.BookingReference)
      }
      const gone = references.length > 3 && references.shift()
      if (gone) note((await test.ask('POST', `/api/v2/ota/marketplace/booking/${gone}/cancel`)).status)
    }
  }
  const sellLive = async () => {
    for (let round = 0; round < 40; round++) await book(pick(products).activityId, { Date: pick(days) })
  }
  const changeLive = async () => {
    for (let round = 0; round < 30; round++) {
      const { id } = pick(products)
      const slots = (await call('GET', `/timeslots?From=${days[0]}&To=${days[2]}&ProductID=${id}`)).data ?? []
      const slot = slots.length > 0 ? pick(slots as { ID: number }[]) : null
      const path = slot && `/timeslots/${slot.ID}`
      switch (below(8)) {
        case 0:
          if (path) await call('PATCH', path, { Capacity: 20 + below(20) })
          break
        case 1:
          if (path) await call('POST', `${path}/${pick(['close', 'reopen'])}`)
          break
        case 2: {
          const [schedule] = (await call('GET', `/products/${id}/schedules`)).data
          if (schedule) await call('DELETE', `/products/${id}/schedules/${schedule.ID}`)
          break
        }
        case 3:
          await call('POST', `/products/${id}/schedules`, { ...season, Times: [pick(['10:00', '14:00'])] })
          break
        case 4: {
          const [one, other] = products
          await call('PATCH', `/products/${one!.id}`, { Name: 'Between' })
          const names = below(2) === 0 ? ['Kayak', 'Canoe'] : ['Canoe', 'Kayak']
          await call('PATCH', `/products/${other!.id}`, { Name: names[0] })
          await call('PATCH', `/products/${one!.id}`, { Name: names[1] })
          break
        }
        case 5: {
          const Terms = below(2) === 0 ? [] : [{ ProductID: null, Commission: String(below(50)) }]
          await call('PUT', `/partners/${partner.ID}/terms`, { Terms })
          break
        }
        case 6:
          await call('PATCH', `/promotions/${promotion.PromotionID}`, { Percent: String(1 + below(50)) })
          break
        default:
          await sql`update partners set name = ${`Viator ${round}`} where account_id = ${accountId} and name like 'Viator%'`
      }
    }
  }

  let isOver = false
  const errors: unknown[] = []
  const followers = [1, 2].map(async (number) => {
    const name = `follower-${number}`
    while (!isOver) {
      const pool = openDatabase(url, { poolSize: 2, applicationName: name })
      try {
        for (let round = 0; round < 10 && !isOver; round++) {
          await pumpEvents(pool)
          await followLive(pool)
        }
      } catch (error) {
        errors.push(error)
      }
      await pool.end()
    }
  })
  const killing = (async () => {
    for (let round = 0; round < 10 && !isOver; round++) {
      await new Promise((resolve) => setTimeout(resolve, below(300)))
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'follower-1'`
      if (round === 5) await sql`update event_epochs set timeline = timeline + 100`
    }
  })()
  try {
    await Promise.all([sellInTest(), sellInTest(), sellInTest(), sellLive(), changeLive()])
  } finally {
    isOver = true
    await Promise.all([...followers, killing])
  }
  await world.follow()

  t.test('requests with the test key are refused only with 404, 409 or 422', async (t) => {
    t.ok(
      [...refusals].every((status) => [404, 409, 422].includes(status)),
      [...refusals].join(),
    )
  })

  // On a slow machine, the live catalogue may change during each of five tries. The next run of the job tries again.
  t.test(
    'copying fails only when its connections are ended, or when the catalogue changes faster than it is copied',
    async (t) => {
      const texts = errors.map((error) => `${error}: ${(error as Error).cause ?? ''}`)
      const expected = /terminat|ECONN|CONNECTION|57P01|changes faster than it is copied/i
      t.same(
        texts.filter((text) => !expected.test(text)),
        [],
      )
    },
  )

  t.test('the catalogue is that of the live account after the next comparison', async (t) => {
    await sql`update test_accounts set compared_at = null`
    await world.follow()
    t.same(await listCatalogueFaults(sql, accountId), {})
  })

  t.test('every timeslot of both accounts agrees with its bookings', async (t) => {
    t.same(await listCounterDifferences(sql, testId), [])
    t.same(await listCounterDifferences(sql, accountId), [])
  })

  t.test('every event of the test account has a number that no other of its events has', async (t) => {
    const [log] = await sql`
      select count(*) - count(distinct number) as doubled, count(*) filter (where number is null) as waiting
      from events where account_id = ${testId}`
    t.match(log, { doubled: 0, waiting: 0 })
  })
})
