import { pino } from 'pino'
import t from 'tap'
import { findCaller } from '../src/accounts/service.ts'
import { closeServices, openServices } from '../src/services.ts'
import { bookingBody, createDatabase, makeCaller, makeProduct, testConfig } from './helper.ts'

t.test('a process that is closing completes the bookings under way before it ends', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId, token } = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const caller = (await findCaller(sql, token))!
  const services = openServices(testConfig(), url, 'test', pino({ level: 'silent' }))
  const order = {
    caller,
    request: bookingBody(activityId) as Parameters<typeof services.bookings.book>[0]['request'],
    idempotencyKey: undefined,
    isAwaited: () => true,
  }
  const booked = [1, 2, 3].map(() => services.bookings.book(order))
  await closeServices(services)
  for (const { booking } of await Promise.all(booked)) t.equal(booking.Status, 'confirmed')
  t.same(await sql`select booked, held from timeslots`, [{ booked: 6, held: 0 }])
})
