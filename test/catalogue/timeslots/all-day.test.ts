/** All-day timeslots that an operator makes and changes by hand: their hours, on days of clock changes too. */
import t, { type Test } from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { fieldsOf, whileBooking } from '../../operator.ts'
import { customer } from '../../sales/basket/fixtures.ts'
import { afternoon, morning, museum, openDay } from '../museum.ts'

t.test('making an all-day timeslot', async (t) => {
  t.test('201 with its hours, its end and the time until which it is on sale', async (t) => {
    const { open, call, cutOff, timeslotEvents } = await museum(t)
    await cutOff(30)
    const { status, data } = await open()
    t.equal(status, 201)
    t.match(data, {
      Time: '09:00',
      StartsAt: '2030-06-15T09:00:00+01:00',
      EndsAt: '2030-06-15T17:00:00+01:00',
      AllDay: true,
      OpeningHours: [morning, afternoon],
      OnSaleUntil: '2030-06-15T16:30:00+01:00',
      Available: 8,
    })
    t.same((await call('GET', `/timeslots/${data.ID}`)).data, data)
    t.same(await timeslotEvents(), ['made'])
  })

  t.test('a timeslot without hours, or with an empty list of hours, is not all-day', async (t) => {
    const { open } = await museum(t)
    for (const [OpeningHours, day] of [
      [undefined, '2030-06-16'],
      [[], '2030-06-17'],
    ]) {
      t.match((await open({ OpeningHours, Date: day })).data, {
        AllDay: false,
        OpeningHours: [],
        EndsAt: /T10:30:00/,
        OnSaleUntil: /T09:00:00/,
      })
    }
  })

  t.test('422 names each error of its hours', async (t) => {
    const { open, sql } = await museum(t)
    const faults = async (OpeningHours: unknown, more: object = {}) =>
      fieldsOf(await open({ OpeningHours, ...more })).sort()
    t.same(await faults([{ Opens: '9:00', Closes: '24:00' }]), [
      'OpeningHours[0].Closes',
      'OpeningHours[0].Opens',
    ])
    t.same(await faults([{ Opens: '09:00' }]), ['OpeningHours[0].Closes'])
    t.same(await faults([{}]), ['OpeningHours[0].Closes', 'OpeningHours[0].Opens'])
    t.same(await faults('09:00–17:00'), ['OpeningHours'])
    t.same(await faults(Array.from({ length: 11 }, () => morning)), ['OpeningHours'])
    t.same(
      await faults([{ Opens: '10:00', Closes: '17:00' }]),
      ['OpeningHours[0].Opens'],
      'the first opening is not the Time of the timeslot',
    )
    t.same(await faults([morning, { Opens: '11:00', Closes: '13:00' }]), ['OpeningHours[1].Opens'], 'overlap')
    t.same(
      await faults([morning, { Opens: '12:00', Closes: '13:00' }]),
      ['OpeningHours[1].Opens'],
      'no pause',
    )
    t.same(await faults([{ Opens: '09:00', Closes: '02:00' }, afternoon]), ['OpeningHours[1].Opens'])
    t.same(await faults([morning, { Opens: '14:00', Closes: '10:00' }]), ['OpeningHours[1].Closes'])
    t.same(await faults([morning, { Opens: '11:00', Closes: '10:00' }]), [
      'OpeningHours[1].Closes',
      'OpeningHours[1].Opens',
    ])
    t.same(
      await faults([morning, morning], { UnitPrices: [{ UnitID: 7, Amount: 'free' }] }),
      ['UnitPrices[0].Amount'],
      'the schema of all fields is checked first',
    )
    t.same(await faults([morning, morning], { UnitPrices: [{ UnitID: 7, Amount: '5' }] }), [
      'OpeningHours[1].Opens',
      'UnitPrices[0].UnitID',
    ])
    t.equal((await sql`select from timeslots`).length, 0)
  })
})

t.test('changing an all-day timeslot', async (t) => {
  /** A museum with an all-day timeslot that has a booking of two places. */
  async function booked(t: Test) {
    const operator = await museum(t)
    const { data } = await operator.open()
    const { status } = await operator.bookAsPartner()
    t.equal(status, 201)
    const one = `/timeslots/${data.ID}`
    return { ...operator, one, change: (body: object) => operator.call('PATCH', one, body) }
  }

  t.test('a change of the hours keeps the timeslot and its bookings, and appends an event', async (t) => {
    const { change, one, call, timeslotEvents, sql } = await booked(t)
    const { status, data } = await change({ OpeningHours: [morning, { Opens: '13:00', Closes: '18:30' }] })
    t.equal(status, 200)
    t.match(data, { Time: '09:00', EndsAt: '2030-06-15T18:30:00+01:00', Booked: 2, Edited: true })
    t.same((await call('GET', one)).data, data)
    t.same(await timeslotEvents(), ['made', 'rescheduled'])
    t.match(await sql`select status from bookings`, [{ status: 'confirmed' }])
  })

  t.test('setting the same hours again appends no event', async (t) => {
    const { change, timeslotEvents } = await booked(t)
    t.equal((await change({ OpeningHours: openDay.OpeningHours })).status, 200)
    t.same(await timeslotEvents(), ['made'])
  })

  t.test(
    'with an empty list of hours it is no longer all-day, and with hours it is all-day again',
    async (t) => {
      const { change, timeslotEvents } = await booked(t)
      t.match((await change({ OpeningHours: [] })).data, {
        AllDay: false,
        OpeningHours: [],
        EndsAt: '2030-06-15T10:30:00+01:00',
        Available: 0,
        Booked: 2,
      })
      t.match((await change({ OpeningHours: [morning] })).data, { AllDay: true, Available: 6, Booked: 2 })
      t.same(await timeslotEvents(), ['made', 'rescheduled', 'rescheduled'])
    },
  )

  t.test('a booking that is made during a change of the hours stays', async (t) => {
    const { change, sql, accountId, slotAt } = await booked(t)
    const { id: timeslotId } = (await slotAt())!
    const { status, data } = await whileBooking(sql, { accountId, timeslotId }, () =>
      change({ OpeningHours: [morning] }),
    )
    t.equal(status, 200)
    t.match(data, { EndsAt: '2030-06-15T12:00:00+01:00', Booked: 4 })
  })

  t.test(
    '422 for an empty change; 422 for hours that do not begin at the timeslot’s time, with every other error',
    async (t) => {
      const { change, slotAt } = await booked(t)
      t.same(fieldsOf(await change({})), ['Capacity'])
      t.same(fieldsOf(await change({ OpeningHours: [afternoon] })), ['OpeningHours[0].Opens'])
      t.same(
        fieldsOf(await change({ OpeningHours: [afternoon], UnitPrices: [{ UnitID: 7, Amount: '5' }] })),
        ['OpeningHours[0].Opens', 'UnitPrices[0].UnitID'],
      )
      t.same(
        fieldsOf(await change({ OpeningHours: [{ ...morning, Closes: 'noon' }], Capacity: -1 })).sort(),
        ['Capacity', 'OpeningHours[0].Closes'],
      )
      t.same((await slotAt())!.closesAt, new Date('2030-06-15T16:00Z'))
    },
  )

  t.test('an unknown timeslot gets 404, and a key without the operator scope gets 403', async (t) => {
    const { call, partner } = await booked(t)
    t.equal((await call('PATCH', '/timeslots/999999', { OpeningHours: [morning] })).status, 404)
    t.equal((await call('PATCH', '/timeslots/1', { OpeningHours: [] }, partner.headers)).status, 403)
  })

  t.test(
    'with longer hours, free places are offered to the waitlist before they can be bought',
    async (t) => {
      const { change, call, visit, sql, slotAt, cutOff, bookAsPartner } = await booked(t)
      await bookAsPartner({ Participants: 6 })
      const { data: entry } = await call('POST', '/waitlist', {
        ...visit,
        Customer: customer,
      })
      t.equal(entry.Status, 'waiting')
      await cutOff(370)
      const [full] = await sql<{ reference: string }[]>`select reference from bookings where participants = 6`
      await call('POST', `/bookings/${full!.reference}/cancel`, { Override: true })
      t.match(await slotAt(), { booked: 2, held: 0 }, 'it is no longer on sale: nothing is offered')
      t.equal((await change({ OpeningHours: [morning, { ...afternoon, Closes: '18:00' }] })).status, 200)
      t.match(await slotAt(), { booked: 2, held: 2 })
      t.match((await call('GET', `/waitlist/${entry.WaitlistID}`)).data, { Status: 'offered' })
      t.equal(await sweepExpiredHolds(sql), 0)
    },
  )
})

t.test('midnight and clock changes', async (t) => {
  const closings = async (t: Test, date: string, hours: object[], timeZone?: string) => {
    const { open } = await museum(t, { now: '2030-01-01T00:00Z', ...(timeZone && { timeZone }) })
    const [first] = hours as [{ Opens: string }]
    const { data } = await open({ Date: date, Time: first.Opens, OpeningHours: hours })
    return [data.StartsAt, data.EndsAt]
  }

  t.test('00:00 is midnight at the end of the day', async (t) => {
    t.same(await closings(t, '2030-06-15', [{ Opens: '18:00', Closes: '00:00' }]), [
      '2030-06-15T18:00:00+01:00',
      '2030-06-16T00:00:00+01:00',
    ])
    t.same(await closings(t, '2030-06-15', [{ Opens: '00:00', Closes: '00:00' }]), [
      '2030-06-15T00:00:00+01:00',
      '2030-06-16T00:00:00+01:00',
    ])
  })

  t.test('a closing before its opening is on the next day, even in the next month or year', async (t) => {
    t.same(await closings(t, '2030-12-31', [morning, { Opens: '20:00', Closes: '03:00' }]), [
      '2030-12-31T09:00:00+00:00',
      '2031-01-01T03:00:00+00:00',
    ])
  })

  t.test('a night with a clock change is an hour shorter in spring and longer in autumn', async (t) => {
    const night = [{ Opens: '22:00', Closes: '04:00' }]
    t.same(await closings(t, '2030-03-30', night), ['2030-03-30T22:00:00+00:00', '2030-03-31T04:00:00+01:00'])
    t.same(await closings(t, '2030-10-26', night), ['2030-10-26T22:00:00+01:00', '2030-10-27T04:00:00+00:00'])
    const berlin = await closings(t, '2030-10-27', [{ Opens: '00:00', Closes: '00:00' }], 'Europe/Berlin')
    t.same(berlin, ['2030-10-27T00:00:00+02:00', '2030-10-28T00:00:00+01:00'])
    t.equal(Date.parse(berlin[1]!) - Date.parse(berlin[0]!), 25 * 3_600_000)
  })

  t.test('422 for a first opening that the clocks skip', async (t) => {
    const { open } = await museum(t, { timeZone: 'Europe/Berlin', now: '2030-01-01T00:00Z' })
    const OpeningHours = [{ Opens: '02:30', Closes: '17:00' }]
    const skipped = await open({ Date: '2030-03-31', Time: '02:30', OpeningHours })
    t.same([skipped.status, fieldsOf(skipped)], [422, ['Time']])
    t.equal((await open({ Date: '2030-03-30', Time: '02:30', OpeningHours })).status, 201)
  })

  t.test(
    'a closing that the clocks skip is later by the skipped time; if a closing occurs twice, the second one counts',
    async (t) => {
      const early = [{ Opens: '00:30', Closes: '02:30' }]
      t.same(await closings(t, '2030-03-31', early, 'Europe/Berlin'), [
        '2030-03-31T00:30:00+01:00',
        '2030-03-31T03:30:00+02:00',
      ])
      t.same(await closings(t, '2030-10-27', early, 'Europe/Berlin'), [
        '2030-10-27T00:30:00+02:00',
        '2030-10-27T02:30:00+01:00',
      ])
      t.same(await closings(t, '2030-10-27', [{ Opens: '02:30', Closes: '02:45' }], 'Europe/Berlin'), [
        '2030-10-27T02:30:00+02:00',
        '2030-10-27T02:45:00+01:00',
      ])
    },
  )

  t.test('a product that moves to another time zone keeps its opening hours in local time', async (t) => {
    const { open, call, product, slotAt, timeslotEvents } = await museum(t)
    await open()
    t.equal((await call('PATCH', product, { TimeZone: 'America/New_York' })).status, 200)
    t.match(await slotAt(), {
      startsAt: new Date('2030-06-15T13:00Z'),
      closesAt: new Date('2030-06-15T21:00Z'),
    })
    t.same(await timeslotEvents(), ['made', 'rescheduled'])
  })
})
