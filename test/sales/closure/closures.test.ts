/** Weather closures: closed timeslots, cancelled or moved bookings, e-mails, and timeslots that stay open. */
import t, { type Test } from 'tap'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator, whileBooking } from '../../operator.ts'
import { pumpEvents } from '../../pump.ts'

const storm = { Date: '2030-06-15', Action: 'cancel', Message: 'Too much wind.' }

/** Two products: Kayak at 10 and 14 o'clock on 15 June and at 10 on the 16th, and Surf at 10 on the 15th. */
async function prepare(t: Test) {
  const operator = await makeOperator(t)
  const { sql, accountId, call } = operator
  const kayak = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8, '2030-06-15 14:00': 8, '2030-06-16 10:00': 5 },
  })
  const surf = await makeProduct(sql, accountId, { name: 'Surf', slots: { '2030-06-15 10:00': 8 } })
  const slots = async () => {
    const rows = await sql<{ when: string; status: string; booked: number; held: number }[]>`
      select to_char(date + time, 'DD HH24') as when, status, booked, held from timeslots
      order by product_id, date, time`
    return rows.map(({ when, status, booked, held }) => `${when} ${status} ${booked} ${held}`)
  }
  const bookings = () => sql<{ reference: string; status: string; why: string | null; date: string }[]>`
    select reference, bookings.status, cancel_reason as why, date from bookings
    join timeslots on timeslots.id = timeslot_id order by bookings.id`
  const emails = async () => {
    await pumpEvents(sql)
    return sql<{ kind: string; reference: string; details: object }[]>`
      select kind, reference, details from emails join bookings on bookings.id = booking_id order by emails.id`
  }
  /** Makes a basket with held or waitlisted places on Kayak's timeslots at these times of 15 June; returns its id. */
  const makeBasket = async (status: 'held' | 'waitlisted', times: string[], participants = 2) => {
    const [basket] = await sql<{ id: number }[]>`
      insert into baskets (account_id, id, status, channel, expires_at)
      values (${accountId}, nextval('basket_ids'), ${status === 'held' ? 'open' : 'waiting'}, 'online', '2040-01-01')
      returning id`
    for (const time of times) {
      await sql`
        with slot as (
          update timeslots set held = held + ${status === 'held' ? participants : 0}
          where product_id = ${kayak.id} and date = '2030-06-15' and time = ${time} returning id
        ), booking as (
          insert into bookings (unit_price_minor, currency, account_id, id, basket_id, timeslot_id, reference, channel, status, participants, answers)
          select 4500, 'EUR', ${accountId}, nextval('booking_ids'), ${basket!.id}, slot.id, gen_random_uuid(), 'online', ${status},
            ${participants}, '[]'
          from slot returning id, timeslot_id
        )
        insert into waitlist_entries (account_id, booking_id, timeslot_id)
        select ${accountId}, id, timeslot_id from booking where ${status === 'waitlisted'}`
    }
    return basket!.id
  }
  const close = (body: object, more: object = {}) => call('POST', '/closures', body, more)
  const preview = (body: object) => call('POST', '/closures/preview', body)
  const slotId = async (productId: number, time: string, date = '2030-06-15') => {
    const [slot] = await sql<{ id: number }[]>`
      select id from timeslots where product_id = ${productId} and date = ${date} and time = ${time}`
    return slot!.id
  }
  return { ...operator, kayak, surf, slots, bookings, emails, makeBasket, close, preview, slotId }
}

t.test('a closure that cancels', async (t) => {
  t.test('closes a day, cancels every booking on it, and e-mails each customer once', async (t) => {
    const { close, book, kayak, surf, slots, bookings, emails, slotId } = await prepare(t)
    const made = [
      await book(kayak.activityId),
      await book(kayak.activityId, { Time: '14:00', Participants: 3 }),
      await book(surf.activityId),
      await book(kayak.activityId, { Date: '2030-06-16' }),
    ]
    const answer = await close(storm)
    t.equal(answer.status, 200)
    t.match(answer.data.Totals, { Closed: 3, AlreadyClosed: 0, Left: 0, Cancelled: 3, Moved: 0, Emailed: 3 })
    t.match(answer.data.Timeslots[0], {
      TimeslotID: await slotId(kayak.id, '10:00'),
      ProductID: kayak.id,
      Date: '2030-06-15',
      Time: '10:00',
      Result: 'closed',
      Cancelled: 1,
      Emailed: 1,
      Untold: [],
      MovedTo: null,
      Reason: null,
    })
    t.same(await slots(), ['15 10 closed 0 0', '15 14 closed 0 0', '16 10 open 2 0', '15 10 closed 0 0'])
    const stored = await bookings()
    t.same(
      stored.map(({ status, why }) => [status, why]),
      [...Array(3).fill(['cancelled', 'closure']), ['confirmed', null]],
    )
    const details = {
      Message: 'Too much wind.',
      Action: 'cancelled',
      FromDate: '2030-06-15',
      FromTime: '10:00',
    }
    const told = await emails()
    t.same(
      told.map(({ reference }) => reference).sort(),
      made
        .slice(0, 3)
        .map(({ reference }) => reference)
        .sort(),
    )
    // Timeslots are closed in parallel, so the e-mails may be in any order.
    t.match(
      told.find((email) => (email.details as typeof details).FromTime === '10:00'),
      { kind: 'closure', details },
    )
  })

  t.test('adds the actor, the action and the reason to each booking’s history', async (t) => {
    const { close, book, kayak, sql } = await prepare(t)
    await book(kayak.activityId)
    await close(storm)
    const [change] =
      await sql`select actor, actor_id, type, details from events where type = 'booking.cancelled'`
    t.match(change, {
      actor: 'key',
      actor_id: Number,
      type: 'booking.cancelled',
      details: { Reason: 'closure' },
    })
  })

  t.test('frees held places, and ends the waitlist', async (t) => {
    const { close, makeBasket, slots, sql, bookings, emails, kayak, slotId } = await prepare(t)
    const alone = await makeBasket('held', ['10:00'])
    const shared = await makeBasket('held', ['10:00', '14:00'])
    const waiting = await makeBasket('waitlisted', ['10:00'], 8)
    const answer = await close({ TimeslotID: await slotId(kayak.id, '10:00'), Action: 'cancel' })
    t.match(answer.data.Totals, { Closed: 1, Cancelled: 0, Released: 2, WaitlistEnded: 1, Emailed: 0 })
    const freed = await sql<{ reference: string }[]>`
      select reference from bookings where status = 'cancelled' order by id`
    t.same(
      answer.data.Timeslots[0].Untold,
      freed.map(({ reference }) => reference),
      'customers of held and waitlisted bookings get no e-mail, so a person has to call them',
    )
    t.same((await slots()).slice(0, 2), ['15 10 closed 0 0', '15 14 open 0 2'])
    t.same((await bookings()).map(({ status }) => status).sort(), [
      'cancelled',
      'cancelled',
      'cancelled',
      'held',
    ])
    const baskets = await sql<{ id: number; status: string }[]>`select id, status from baskets order by id`
    t.same(baskets, [
      { id: alone, status: 'cancelled' },
      { id: shared, status: 'open' },
      { id: waiting, status: 'cancelled' },
    ])
    t.same(
      await sql`select status from waitlist_entries`,
      [{ status: 'left' }],
      'the waitlist is offered no place of a closed timeslot',
    )
    t.same(await emails(), [])
  })

  t.test('closes a range of days, and only the given products', async (t) => {
    const { close, kayak, slots, sql } = await prepare(t)
    await close({ From: '2030-06-15', To: '2030-06-16', ProductIDs: [kayak.id], Action: 'cancel' })
    t.same(await slots(), ['15 10 closed 0 0', '15 14 closed 0 0', '16 10 closed 0 0', '15 10 open 0 0'])
    t.same(await sql`select distinct edited from timeslots where status = 'closed'`, [{ edited: true }])
    const { data } = await close({ Date: '2030-06-15', Action: 'cancel' })
    t.match(data.Totals, { Closed: 1, AlreadyClosed: 2 })
  })

  t.test('cancels the bookings of a timeslot that was closed by hand before', async (t) => {
    const { close, call, book, kayak, slotId } = await prepare(t)
    await book(kayak.activityId)
    const TimeslotID = await slotId(kayak.id, '10:00')
    await call('POST', `/timeslots/${TimeslotID}/close`)
    t.match((await close({ TimeslotID, Action: 'cancel' })).data.Totals, {
      Closed: 1,
      Cancelled: 1,
      Emailed: 1,
    })
    t.match((await close({ TimeslotID, Action: 'cancel' })).data.Totals, {
      AlreadyClosed: 1,
      Cancelled: 0,
      Emailed: 0,
    })
  })

  t.test('does not close a timeslot that has begun', async (t) => {
    const { close, sql, kayak, slotId } = await prepare(t)
    await sql`update timeslots set starts_at = now() - interval '1 minute' where product_id = ${kayak.id}`
    const { data } = await close({ TimeslotID: await slotId(kayak.id, '10:00'), Action: 'cancel' })
    t.match(data.Timeslots, [{ Result: 'left', Reason: 'begun' }])
    t.match(
      (await close(storm)).data.Totals,
      { Closed: 1, Left: 0 },
      'the closure of a day does not list the timeslot',
    )
  })
})

t.test('a closure that moves', async (t) => {
  const move = { ...storm, Action: 'move', MoveTo: { Date: '2030-06-16' } }

  t.test('moves bookings of each product to the given day, by default at the same time', async (t) => {
    const { close, book, kayak, surf, slots, bookings, emails, slotId, sql } = await prepare(t)
    await book(kayak.activityId)
    await book(surf.activityId)
    await sql`update bookings set attendance = 'checked-in' where timeslot_id = ${await slotId(kayak.id, '10:00')}`
    const { data } = await close(move)
    t.match(data.Totals, { Closed: 2, Left: 1, Moved: 1, Cancelled: 0, Emailed: 1 })
    t.match(data.Timeslots[0], {
      Moved: 1,
      MovedTo: {
        TimeslotID: await slotId(kayak.id, '10:00', '2030-06-16'),
        Date: '2030-06-16',
        Time: '10:00',
      },
    })
    const surfing = data.Timeslots.find((slot: { ProductID: number }) => slot.ProductID === surf.id)
    t.match(surfing, { Result: 'left', Reason: 'target-unavailable', Emailed: 0 })
    t.same(await slots(), ['15 10 closed 0 0', '15 14 closed 0 0', '16 10 open 2 0', '15 10 open 2 0'])
    t.match(await bookings(), [
      { status: 'confirmed', why: null, date: '2030-06-16' },
      { status: 'confirmed', why: null, date: '2030-06-15' },
    ])
    t.match(await emails(), [{ details: { Action: 'moved', FromDate: '2030-06-15', FromTime: '10:00' } }])
    t.match(await sql`select type, details from events where type = 'booking.moved'`, [
      {
        type: 'booking.moved',
        details: { From: { Date: '2030-06-15' }, To: { Date: '2030-06-16', Time: '10:00' } },
      },
    ])
    t.same(
      await sql`select distinct attendance from bookings`,
      [{ attendance: null }],
      'the move clears the attendance',
    )
  })

  t.test('moves all bookings of a timeslot or, if they do not all fit, none', async (t) => {
    const { close, preview, book, kayak, slots, emails } = await prepare(t)
    await book(kayak.activityId, { Participants: 3 })
    await book(kayak.activityId, { Time: '14:00', Participants: 1 })
    await book(kayak.activityId, { Time: '14:00', Participants: 2 })
    const body = { ...move, ProductIDs: [kayak.id], MoveTo: { Date: '2030-06-16', Time: '10:00' } }
    const foreseen = await preview(body)
    const { data } = await close(body)
    t.same(foreseen.data, data, 'as the preview says')
    t.match(data.Timeslots, [
      { Result: 'closed', Moved: 1 },
      { Result: 'left', Reason: 'insufficient-capacity', Available: 2, Moved: 0 },
    ])
    t.same(await slots(), ['15 10 closed 0 0', '15 14 open 3 0', '16 10 open 3 0', '15 10 open 0 0'])
    t.equal((await emails()).length, 1)
  })

  t.test('releases expired holds of the target to make room', async (t) => {
    const { close, book, kayak, makeBasket, sql, slots, slotId } = await prepare(t)
    await book(kayak.activityId, { Participants: 8 })
    await makeBasket('held', ['14:00'])
    await sql`update baskets set expires_at = now() - interval '1 minute' where status = 'open'`
    const TimeslotID = await slotId(kayak.id, '10:00')
    const { data } = await close({
      TimeslotID,
      Action: 'move',
      MoveTo: { Date: '2030-06-15', Time: '14:00' },
    })
    t.match(data.Totals, { Closed: 1, Moved: 1 })
    t.same((await slots()).slice(0, 2), ['15 10 closed 0 0', '15 14 open 8 0'])
  })

  t.test('moves no booking to a timeslot that the same closure closes', async (t) => {
    const { close, book, kayak } = await prepare(t)
    await book(kayak.activityId)
    const { data } = await close({ ...move, MoveTo: { Date: '2030-06-15', Time: '14:00' } })
    t.match(data.Timeslots[0], { Result: 'left', Reason: 'target-unavailable' })
  })
})

t.test('a preview says what will happen, and changes nothing', async (t) => {
  const { preview, close, book, kayak, makeBasket, slots, emails, bookings } = await prepare(t)
  await book(kayak.activityId)
  await makeBasket('held', ['14:00'])
  const before = [await slots(), await bookings()]
  const foreseen = await preview(storm)
  t.equal(foreseen.status, 200)
  t.same([await slots(), await bookings()], before)
  t.same(await emails(), [])
  t.same((await close(storm)).data, foreseen.data)
})

t.test(
  '422 names fields that are missing, invalid or contradictory, and unknown products and timeslots',
  async (t) => {
    const { preview, close, kayak, slotId, sql, accountId } = await prepare(t)
    const TimeslotID = await slotId(kayak.id, '10:00')
    const other = await makeCaller(sql, { slug: 'other' })
    const theirs = await makeProduct(sql, other.accountId, { slots: { '2030-06-15 10:00': 8 } })
    const Action = 'cancel'
    const cases: [object, string[]][] = [
      [{ Action }, ['TimeslotID']],
      [{ Action, TimeslotID, Date: '2030-06-15' }, ['TimeslotID']],
      [{ Action, Date: '2030-06-15', From: '2030-06-15', To: '2030-06-16' }, ['TimeslotID']],
      [{ Action, From: '2030-06-15' }, ['To']],
      [{ Action, To: '2030-06-15' }, ['From']],
      [{ Action, From: '2030-06-15', To: '2030-06-14' }, ['To']],
      [{ Action, From: '2030-06-15', To: '2031-06-16' }, ['To']],
      [{ Action, TimeslotID, ProductIDs: [kayak.id] }, ['ProductIDs']],
      [{ Action, Date: '2030-06-15', ProductIDs: [kayak.id, theirs.id] }, ['ProductIDs[1]']],
      [{ Action, TimeslotID: await slotId(theirs.id, '10:00') }, ['TimeslotID']],
      [{ Action: 'move', TimeslotID }, ['MoveTo']],
      [{ Action, TimeslotID, MoveTo: { Date: '2030-06-16' } }, ['MoveTo']],
      [{ Action: 'burn', TimeslotID }, ['Action']],
    ]
    for (const [body, fields] of cases) {
      for (const send of [preview, close]) {
        const answer = await send(body)
        t.equal(answer.status, 422)
        t.same(fieldsOf(answer), fields, JSON.stringify(body))
      }
    }
    await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${kayak.id}, '2030-07-01', make_time(n / 60, n % 60, 0), '2030-07-01', 1
    from generate_series(0, 1000) as n`
    const { errors: ofDate } = (await close({ Action, Date: '2030-07-01' })).problem
    const message = 'has more than 1000 timeslots: close the timeslots of some products at a time'
    t.same(ofDate, [{ field: 'Date', message }])
    const range = { From: '2030-07-01', To: '2030-07-02' }
    const { errors: ofRange } = (await close({ Action, ...range })).problem
    t.same(ofRange, [{ field: 'To', message: 'must be earlier: the range has more than 1000 timeslots' }])
    t.same(await sql`select from timeslots where status = 'closed'`, [])
  },
)

t.test('a repeated closure', async (t) => {
  t.test(
    'with the same Idempotency-Key gets the first response, and does not change later bookings',
    async (t) => {
      const { close, call, book, kayak, emails, slotId } = await prepare(t)
      const key = { 'idempotency-key': 'k' }
      await book(kayak.activityId)
      const first = await close(storm, key)
      await call('POST', `/timeslots/${await slotId(kayak.id, '10:00')}/reopen`)
      await book(kayak.activityId)
      const again = await close(storm, key)
      t.same(again.data, first.data)
      t.equal(first.headers['idempotency-replayed'], undefined)
      t.equal(again.headers['idempotency-replayed'], 'true')
      t.equal((await emails()).length, 1)
      t.equal((await close({ ...storm, Message: 'Other' }, key)).status, 422)
    },
  )

  t.test('finishes after a failure in the middle, and e-mails nobody twice', async (t) => {
    const { send, close, book, kayak, surf, emails, sql, slots, slotId } = await prepare(t)
    const key = { 'idempotency-key': 'k' }
    await book(kayak.activityId)
    await book(kayak.activityId, { Time: '14:00' })
    await book(surf.activityId)
    // The database refuses the update of the timeslot in the middle, and rolls its transaction back.
    const middle = await slotId(surf.id, '10:00')
    await sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'away' using errcode = '57P01'; end $$;
      create trigger refusal before update on timeslots for each row when (new.id = ${middle} and new.booked = 0)
        execute function refuse()`)
    t.equal((await send('POST', '/closures', storm, key)).status, 503)
    const closed = (await slots()).filter((slot) => slot.endsWith('closed 0 0')).length
    t.equal((await slots()).at(-1), '15 10 open 2 0', 'the timeslot in the middle does not change')
    t.equal((await emails()).length, closed)
    await sql`drop trigger refusal on timeslots`
    const { data, headers } = await close(storm, key)
    t.match(data.Totals, { Closed: 3, AlreadyClosed: 0, Cancelled: 3, Emailed: 3 })
    t.equal(headers['idempotency-replayed'], undefined)
    t.equal((await emails()).length, 3)
  })

  t.test('without a key counts the timeslots as already closed', async (t) => {
    const { close, book, kayak, emails } = await prepare(t)
    await book(kayak.activityId)
    await close(storm)
    t.match((await close(storm)).data.Totals, { Closed: 0, AlreadyClosed: 3, Emailed: 0 })
    t.equal((await emails()).length, 1)
  })

  t.test('that runs at the same time e-mails each customer once, with or without a key', async (t) => {
    for (const key of [{}, { 'idempotency-key': 'k' }]) {
      const { close, book, kayak, emails, bookings } = await prepare(t)
      await Promise.all([1, 2, 3].map(() => book(kayak.activityId)))
      const answers = await Promise.all([1, 2, 3].map(() => close(storm, key)))
      for (const { status } of answers) t.equal(status, 200)
      const told = (await emails()).map(({ reference }) => reference)
      t.same(told.sort(), (await bookings()).map(({ reference }) => reference).sort())
    }
  })
})

t.test(
  'a booking made during a closure is refused, or cancelled with an e-mail to its customer',
  async (t) => {
    const { close, book, kayak, emails, bookings, slots } = await prepare(t)
    const [closed, ...booked] = await Promise.all([
      close(storm),
      ...Array.from({ length: 12 }, (_, n) =>
        book(kayak.activityId, { Participants: 1, Time: n % 2 ? '14:00' : '10:00' }),
      ),
    ])
    t.equal(closed!.status, 200)
    const made = booked.flatMap(({ status, reference }) => (status === 201 ? [reference] : []))
    t.same((await emails()).map(({ reference }) => reference).sort(), made.sort())
    t.ok((await bookings()).every(({ status }) => status === 'cancelled'))
    t.same((await slots()).slice(0, 2), ['15 10 closed 0 0', '15 14 closed 0 0'])
  },
)

t.test('a closure waits for a booking that is being made on its timeslot, and cancels it too', async (t) => {
  const { close, kayak, emails, slots, sql, accountId, slotId } = await prepare(t)
  const timeslotId = await slotId(kayak.id, '10:00')
  const body = { TimeslotID: timeslotId, Action: 'cancel' }
  const { data } = await whileBooking(sql, { accountId, timeslotId }, () => close(body))
  t.match(data.Totals, { Closed: 1, Cancelled: 1, Emailed: 1 })
  t.equal((await slots())[0], '15 10 closed 0 0')
  t.match(await emails(), [{ reference: 'MEANWHILE' }])
})

t.test('a closure counts the bookings of its target after concurrent bookings have committed', async (t) => {
  const { close, book, kayak, slots, sql, accountId, slotId } = await prepare(t)
  await book(kayak.activityId, { Participants: 4 })
  const timeslotId = await slotId(kayak.id, '10:00', '2030-06-16')
  const body = { Date: '2030-06-15', ProductIDs: [kayak.id], Action: 'move', MoveTo: { Date: '2030-06-16' } }
  const { data } = await whileBooking(sql, { accountId, timeslotId }, () => close(body))
  t.match(data.Timeslots[0], { Result: 'left', Reason: 'insufficient-capacity', Available: 3 })
  t.same((await slots())[0], '15 10 open 4 0')
})

t.test('two closures that move bookings to each other’s days do not deadlock', async (t) => {
  const { close, book, kayak, sql } = await prepare(t)
  await book(kayak.activityId)
  await book(kayak.activityId, { Date: '2030-06-16' })
  const moveDay = (day: string, other: string) =>
    close({ Date: day, ProductIDs: [kayak.id], Action: 'move', MoveTo: { Date: other, Time: '10:00' } })
  const answers = await Promise.all([
    moveDay('2030-06-15', '2030-06-16'),
    moveDay('2030-06-16', '2030-06-15'),
  ])
  for (const { status } of answers) t.equal(status, 200)
  const [sum] =
    await sql`select sum(booked) as booked, bool_and(booked + held <= capacity) as sound from timeslots`
  t.same(sum, { booked: '4', sound: true })
})

t.test('another account’s timeslots of the day stay open', async (t) => {
  const { close, sql } = await prepare(t)
  const other = await makeCaller(sql, { slug: 'other' })
  await makeProduct(sql, other.accountId, { slots: { '2030-06-15 10:00': 8 } })
  await close(storm)
  t.same(await sql`select status from timeslots where account_id = ${other.accountId}`, [{ status: 'open' }])
})
