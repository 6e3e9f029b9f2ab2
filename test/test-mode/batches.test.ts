/**
 * Bookings of both modes at the same time: a test timeslot has the id of the live one, but none of its
 * places.
 */
import t from 'tap'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { bookingBody, bookingPath, makeProduct } from '../helper.ts'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'
import { makeModes, mark } from './fixtures.ts'

const rounds = 12
const capacity = 60

for (const sold of ['people', 'units'] as const)
  t.test(`bookings of ${sold} in both modes at once`, async (t) => {
    const { app, sql, accountId, testId, partner, openTest } = await makeModes(t)
    const slots = { '2030-06-15 10:00': capacity, '2030-06-16 10:00': capacity }
    const product = await makeProduct(sql, accountId, { name: 'Sail', slots })
    const units = sold === 'units' ? await giveUnits(sql, accountId, product.id, [{ name: 'Adult' }]) : []
    const party = { Participants: undefined, Units: units.map((UnitID) => ({ UnitID, Quantity: 2 })) }
    const test = await openTest()
    const fillSlots = (account: number, date: string) =>
      sql.begin(async (tx) => {
        await tx`set local app.following = 'on'`
        await tx`update timeslots set capacity = 0 where account_id = ${account} and date = ${date}`
      })
    const book = async (key: Record<string, string>, date: string) => {
      const payload = bookingBody(product.activityId, {
        Date: date,
        Customer: mark,
        ...(units.length > 0 && party),
      })
      const { statusCode } = await app.inject({ method: 'POST', url: bookingPath, headers: key, payload })
      return statusCode
    }
    const bookTogether = async (date: string) => {
      const live = new Set<number>()
      const tests = new Set<number>()
      for (let round = 0; round < rounds; round++) {
        const send = (key: Record<string, string>, answers: Set<number>) =>
          book(key, date).then((status) => answers.add(status))
        await Promise.all([
          ...Array.from({ length: 4 }, () => send(test.headers, tests)),
          ...Array.from({ length: 2 }, () => send(partner.headers, live)),
        ])
      }
      return { live: [...live], tests: [...tests] }
    }

    t.test('a timeslot that is full in test mode is sold in live mode', async (t) => {
      await fillSlots(testId, '2030-06-15')
      t.same(await bookTogether('2030-06-15'), { live: [201], tests: [409] })
    })

    t.test('a timeslot that is full in live mode is sold in test mode', async (t) => {
      await fillSlots(accountId, '2030-06-16')
      const { live, tests } = await bookTogether('2030-06-16')
      t.same({ live, made: tests.includes(201) }, { live: [409], made: true })
      const [slot] = await sql`
        select booked from timeslots where account_id = ${testId} and product_id = ${product.id} and date = '2030-06-16'`
      t.same(slot, { booked: capacity })
    })

    t.test('every place is counted in the mode in which it was sold', async (t) => {
      t.same(await listCounterDifferences(sql, accountId), [])
      t.same(await listCounterDifferences(sql, testId), [])
    })
  })
