/**
 * Test bookings are deleted after seven days, or with their timeslot. Past test timeslots without bookings are deleted,
 * and live rows stay.
 */
import { existsSync } from 'node:fs'
import t from 'tap'
import { testBookingDays } from '../../src/accounts/model.ts'
import { lockPlaces } from '../../src/inventory/service.ts'
import { messageFile } from '../../src/messaging/emails/files.ts'
import { sweepWorkflows } from '../../src/messaging/workflows/sweep.ts'
import { followLive } from '../../src/test-mode/following.ts'
import { deleteBookingsOn, sweepTestBookings } from '../../src/test-mode/purging.ts'
import { openTestMode } from '../../src/test-mode/service.ts'
import { makeFolder } from '../command-line.ts'
import { fingerprint } from '../fingerprint.ts'
import { makeProduct } from '../helper.ts'
import { makeSending, makeWorkflow, openAt } from '../messaging/emails/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { until } from '../until.ts'
import { listCatalogueFaults, makeModes } from './fixtures.ts'

const day = '2030-06-15'
const later = () => new Date(Date.now() + (testBookingDays * 24 + 1) * 3_600_000).toISOString()

t.test('the sweep', async (t) => {
  const world = await makeModes(t)
  const { sql, url, accountId, testId, book } = world
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 2, [`${day} 12:00`]: 9, [`${tomorrow} 10:00`]: 5 },
  })
  await makeWorkflow(sql, accountId, {})
  const test = await world.openTest()
  await book(activityId)
  const old = await test.book(activityId)
  const line = { ActivityID: activityId, Date: day, Time: '12:00', Participants: 1 }
  const basket = await test.call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
  await test.call('POST', `/baskets/${basket.json.data.BasketID}/pay`, { Method: 'cash' })
  await test.call('POST', `/bookings/${old.json.data.BookingReference}/tickets`)
  const folder = await makeFolder(t)
  await pumpEvents(sql)
  await sweepWorkflows(sql)
  await makeSending(sql, { DATA_DIR: folder })()
  const [email] = await sql<{ messageId: string }[]>`
    select message_id as "messageId" from emails where account_id = ${testId} and status = 'sent' limit 1`
  const sqlAfterWeek = openAt(t, url, later())
  // The waitlist entry counts as made a week later, so that the sweep does not delete it.
  const waiting = {
    ...line,
    Time: '10:00',
    Participants: 2,
    Customer: { FirstName: 'W', LastName: 'W', Email: 'w@mode.example' },
  }
  const joined = await test.call('POST', '/waitlist', waiting)
  t.equal(joined.status, 201, joined.body)
  await sqlAfterWeek`update bookings set created_at = app_now() where account_id = ${testId} and status = 'waitlisted'`
  const live = await fingerprint(sql, accountId)
  const sweep = async () => {
    while ((await sweepTestBookings(sqlAfterWeek, folder)) > 0);
  }

  t.test('deletes nothing before seven days are over', async (t) => {
    const before = await fingerprint(sql, testId)
    t.equal(await sweepTestBookings(sql, folder), 0)
    t.same(await fingerprint(sql, testId), before)
  })

  t.test('deletes old test bookings with all that belongs to them', async (t) => {
    t.ok(existsSync(messageFile(folder, email!.messageId)), 'the e-mail is a file before the sweep')
    await sweep()
    for (const table of ['tickets', 'workflow_runs', 'payment_events', 'promotion_uses'])
      t.same(await sql`select from ${sql(table)} where account_id = ${testId}`, [], table)
    t.match(await sql`select status from bookings where account_id = ${testId}`, [{ status: 'held' }])
    t.notOk(existsSync(messageFile(folder, email!.messageId)), 'the file is deleted')
    t.same(
      await sql`select from emails where account_id = ${testId} and message_id = ${email!.messageId}`,
      [],
    )
  })

  t.test('does not delete an e-mail while it is being sent; a later sweep deletes it', async (t) => {
    t.equal((await test.book(activityId, { Time: '12:00', Participants: 1 })).status, 201)
    const [{ id }] = await sql<[{ id: number }]>`
      select id from bookings where account_id = ${testId} and status = 'confirmed'`
    const left = () => sql`select status from emails where account_id = ${testId} and booking_id = ${id}`
    await sqlAfterWeek`
      insert into emails (account_id, kind, booking_id, lease, leased_until)
      values (${testId}, 'confirmation', ${id}, gen_random_uuid(), app_now() + interval '1 minute')`
    await sweep()
    t.same(await sql`select from bookings where account_id = ${testId} and id = ${id}`, [])
    t.match(await left(), [{ status: 'queued' }])
    await sqlAfterWeek`update emails set leased_until = app_now() where account_id = ${testId}`
    await sweep()
    t.same(await left(), [])
  })

  t.test('offers freed places to the waitlist', async (t) => {
    const found = await test.call('GET', `/waitlist/${joined.json.data.WaitlistID}`)
    t.match(found.json, { data: { Status: 'offered' } })
  })

  t.test('deletes past timeslots of the test account, and no live one', async (t) => {
    const past = (id: number) => sql`select from timeslots where account_id = ${id} and date = ${tomorrow}`
    t.equal((await past(testId)).length, 0)
    t.equal((await past(accountId)).length, 1)
    await sqlAfterWeek`update test_accounts set compared_at = null`
    await followLive(sqlAfterWeek)
    t.equal((await past(testId)).length, 0, 'the comparison does not restore them')
    t.same(await listCatalogueFaults(sqlAfterWeek, accountId), {})
  })

  t.test('changes nothing of the live account', async (t) => {
    t.same(await fingerprint(sql, accountId), live)
  })

  t.test(
    'is not needed when a live timeslot is removed: its test bookings are deleted with it',
    async (t) => {
      const empty = await makeProduct(sql, accountId, { name: 'Sail', slots: { [`${day} 10:00`]: 4 } })
      await sql`update test_accounts set compared_at = null`
      await world.follow()
      t.equal((await test.book(empty.activityId)).status, 201)
      await sql`delete from timeslots where account_id = ${accountId} and product_id = ${empty.id}`
      await sql`update test_accounts set compared_at = null`
      await world.follow()
      t.same(await sql`select from timeslots where account_id = ${testId} and product_id = ${empty.id}`, [])
      t.same(await listCatalogueFaults(sql, accountId), {})
    },
  )
})

t.test('a removed timeslot with many test bookings is emptied in several transactions', async (t) => {
  const { sql, accountId, testId, follow } = await makeModes(t)
  const product = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 1200 } })
  await openTestMode(sql, accountId)
  await sql`
    with made as (
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants, answers,
        unit_price_minor, currency)
      select account_id, nextval('booking_ids'), nextval('basket_ids'), id, 'MANY' || n, 'partner', 'confirmed', 1, '[]',
        4500, 'EUR'
      from timeslots, generate_series(1, 1200) as n where account_id = ${testId}
    )
    update timeslots set booked = 1200 where account_id = ${testId}`
  await sql.unsafe(`
    create table deletions (transaction bigint, bookings bigint);
    create function note_deletion() returns trigger language plpgsql as $$
      begin insert into deletions select txid_current(), count(*) from gone; return null; end $$;
    create trigger note_deletion after delete on bookings referencing old table as gone
      for each statement execute function note_deletion();`)
  await sql`delete from timeslots where account_id = ${accountId} and product_id = ${product.id}`
  await sql`update test_accounts set compared_at = null`
  await follow()
  t.same(
    await sql`select sum(bookings)::integer as bookings from deletions group by transaction order by transaction`,
    [{ bookings: 500 }, { bookings: 500 }, { bookings: 200 }],
  )
  t.same(await sql`select from timeslots where account_id = ${testId}`, [])
})

t.test('deleting bookings does not block changes of other bookings of the same sale', async (t) => {
  const world = await makeModes(t)
  const { sql, accountId, testId } = world
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 9, [`${day} 12:00`]: 9 },
  })
  const test = await world.openTest()
  const Lines = ['10:00', '12:00'].map((Time) => {
    return { ActivityID: activityId, Date: day, Time, Participants: 1 }
  })
  const baskets: number[] = []
  for (let sale = 0; sale < 2; sale++) {
    const { BasketID } = (await test.call('POST', '/baskets', { Channel: 'pos', Lines })).json.data
    const paid = await test.call('POST', `/baskets/${BasketID}/pay`, { Method: 'cash', Amount: '0.00' })
    t.equal(paid.status, 200, paid.body)
    baskets.push(BasketID)
  }
  const slots = await sql<{ id: number }[]>`
    select id from timeslots where account_id = ${testId} order by date, time`
  const [early, late] = slots.map(({ id }) => id)
  let deleting: Promise<void> | undefined
  await sql.begin(async (tx) => {
    await lockPlaces(tx, testId, { timeslotIds: [late!], basketIds: baskets })
    await tx`set local lock_timeout = '500ms'`
    const grow = (basketId: number) => tx`
      update bookings set participants = 2
      where account_id = ${testId} and basket_id = ${basketId} and timeslot_id = ${late!}`
    await grow(baskets[1]!)
    deleting = deleteBookingsOn(sql, testId, { timeslotIds: [early!], dataDir: undefined })
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    await grow(baskets[0]!)
  })
  await deleting
  t.same(
    await sql`select timeslot_id as id from bookings where account_id = ${testId} order by id`,
    [late, late].map((id) => ({ id })),
  )
})
