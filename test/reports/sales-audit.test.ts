/** The command that checks the timeslots' counters against their bookings. */
import t from 'tap'
import { prepareCommands } from '../command-line.ts'
import { makeCaller, makeProduct } from '../helper.ts'

t.test('an audit finds timeslots whose counters differ from their bookings', async (t) => {
  const { sql, cli } = await prepareCommands(t)
  const { accountId } = await makeCaller(sql, { slug: 'one' })
  const other = await makeCaller(sql, { slug: 'two' })
  await makeProduct(sql, accountId, {
    name: 'Kayak',
    slots: { '2030-06-15 10:00': 9, '2030-06-15 12:00': 9 },
  })
  await makeProduct(sql, other.accountId, { slots: { '2030-06-15 10:00': 9 } })
  await sql`
    insert into baskets (account_id, id, status, channel, expires_at)
    values (${accountId}, 1, 'open', 'online', now())`
  const statuses = { confirmed: 2, held: 3, cancelled: 1, expired: 1, waitlisted: 1 }
  for (const [index, [status, participants]] of Object.entries(statuses).entries()) {
    await sql`
      insert into bookings (unit_price_minor, currency, account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
        first_name, last_name, email, answers, cancelled_at, cancel_reason)
      select 4500, 'EUR', ${accountId}, ${index + 1}, 1, id, ${status}, 'online', ${status}, ${participants},
        'Ada', 'Lovelace', 'ada@example.com', '[]', case when ${status} = 'cancelled' then now() end,
        case when ${status} = 'cancelled' then 'operator' end
      from timeslots where account_id = ${accountId} and time = '10:00'`
  }
  await sql`update timeslots set booked = 2, held = 3 where account_id = ${accountId} and time = '10:00'`
  await sql`update timeslots set booked = 1 where account_id = ${other.accountId}`
  t.match(await cli('bookings', 'audit', '--account', 'one'), { code: 0, stderr: '', stdout: /agrees/ })

  await sql`update timeslots set booked = 4, held = 2 where account_id = ${accountId} and time = '10:00'`
  await sql`update timeslots set held = 1 where account_id = ${accountId} and time = '12:00'`
  const failed = await cli('bookings', 'audit', '--account', 'one')
  t.match(failed, { code: 1, stderr: 'error: 2 timeslots differ from their bookings\n' })
  t.match(failed.stdout, /Kayak +2030-06-15 +10:00 +4 +2 +2 +3\n/)
  t.match(failed.stdout, /Kayak +2030-06-15 +12:00 +0 +0 +1 +0\n/)
  const json = await cli('bookings', 'audit', '--account', 'one', '--json')
  t.equal(json.code, 1)
  t.match(JSON.parse(json.stdout), [
    {
      Product: 'Kayak',
      Date: '2030-06-15',
      Time: '10:00',
      Booked: 4,
      Confirmed: 2,
      Held: 2,
      HeldBookings: 3,
    },
    { Time: '12:00', Booked: 0, Confirmed: 0, Held: 1, HeldBookings: 0 },
  ])
})
