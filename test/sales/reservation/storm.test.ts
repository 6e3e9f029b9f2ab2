/** Hundreds of resellers on one timeslot, through two instances of the service: no place is oversold or lost. */
import t from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import type { Reservations } from '../../../src/sales/reservation/service.ts'
import { buildOn } from '../../helper.ts'
import { openReservations, outcomeOf } from './fixtures.ts'

const capacity = 120
const resellers = 300

t.test(
  'hundreds of resellers reserve, confirm, change, cancel and let reservations expire at the same time',
  async (t) => {
    const opened = await openReservations(t, capacity)
    const { sql, url, viator, runOut, taken, differences } = opened
    const other = await buildOn(t, url)
    const instances = [opened.reservations, other.services.reservations]
    const outcomes = new Set<string>()
    const act = async (number: number) => {
      const reservations = instances[number % 2] as Reservations
      const caller = { ...viator, partnerId: 1000 + number }
      for (let round = 0; round < 3; round++) {
        const units = Array.from({ length: 1 + ((number + round) % 3) }, () => opened.adult)
        const order = opened.order({ caller, items: opened.items(...units) })
        const reserved = await outcomeOf(opened.send(order, reservations))
        outcomes.add(reserved)
        if (reserved !== 'done') continue
        const { uuid } = order
        const request = { isAwaited: () => true }
        switch ((number + round) % 5) {
          case 0:
            await runOut(order)
            break
          case 1:
            outcomes.add(await outcomeOf(reservations.cancel(caller, uuid, null)))
            break
          case 2: {
            const items = opened.items(opened.adult, opened.child)
            outcomes.add(await outcomeOf(reservations.update(caller, uuid, { items })))
            break
          }
          case 3:
            outcomes.add(
              await outcomeOf(reservations.confirm(caller, uuid, { ...request, items: order.items })),
            )
            break
          default:
        }
        if ((number + round) % 5 > 2)
          outcomes.add(await outcomeOf(reservations.confirm(caller, uuid, request)))
      }
    }
    await Promise.all(Array.from({ length: resellers }, (_, number) => act(number)))

    t.test('each request succeeds, or is refused with insufficient-capacity', async (t) => {
      t.same([...outcomes].sort(), ['done', 'insufficient-capacity'])
    })

    t.test('the counters of every timeslot agree with its bookings', async (t) => {
      t.same(await differences(), [])
    })

    t.test('every place can be sold after all holds have expired', async (t) => {
      await sql`update baskets set expires_at = app_now() - interval '1 second'`
      while ((await sweepExpiredHolds(sql)) > 0);
      t.same(await sql`select from baskets`, [])
      const [slot] = await sql<{ free: number; held: number }[]>`
      select capacity - booked as free, held from timeslots where date = '2030-06-15'`
      t.equal(slot!.held, 0)
      const items = opened.items(...Array.from({ length: slot!.free }, () => opened.adult))
      if (slot!.free > 0) await opened.confirm(await opened.reserve({ items }))
      t.same(await taken(), { '2030-06-15': `${capacity}+0` })
      t.equal(
        await outcomeOf(opened.send(opened.order({ items: opened.items(opened.adult) }))),
        'insufficient-capacity',
      )
      t.same(await differences(), [])
    })

    t.test('each unit of a confirmed booking has one valid ticket', async (t) => {
      const faults = await sql`
      select id, status from bookings
      where (select count(*) from tickets where tickets.booking_id = bookings.id and voided_at is null)
        <> case when status = 'confirmed' then coalesce(people, participants) else 0 end`
      t.same(faults, [])
    })
  },
)
