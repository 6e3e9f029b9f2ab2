/**
 * Random operations of partners and operators on test bookings, and the responses that no caller should get.
 */
import { randomUUID } from 'node:crypto'
import type { Caller } from '../../src/accounts/service.ts'
import { problemTypes } from '../../src/http/problem-types.ts'
import { Problem } from '../../src/http/problems.ts'
import type { Reservations } from '../../src/sales/reservation/service.ts'
import type { Random } from '../faults/random.ts'
import { bookingPath } from '../helper.ts'
import { type makeModes, mark } from './fixtures.ts'

type TestKey = Awaited<ReturnType<Awaited<ReturnType<typeof makeModes>>['openTest']>>

export type ActSettings = {
  test: TestKey
  caller: Caller
  reservations: Reservations
  random: Random
  activityIds: readonly string[]
  days: readonly string[]
}

/** Returns `act`, which performs one random operation, and `faults`: the responses so far with status 500 or above. */
export function makeActs({ test, caller, reservations, random, activityIds, days }: ActSettings) {
  const { pick, chance } = random
  const below = (most: number) => random.whole(0, most - 1)
  const bookings: string[] = []
  const baskets: number[] = []
  const waiting: number[] = []
  const held: string[] = []
  const tickets: [string, string][] = []
  const some = <T>(list: readonly T[]): T | undefined => list[Math.max(0, list.length - 1 - below(6))]
  const faults: string[] = []
  const note = (what: string, status: number, body: string) => {
    if (status >= 500) faults.push(`${what} ${status} ${body}`)
  }
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const answer = await test.ask(method, path.startsWith('/api') ? path : `/api/v2/operator${path}`, payload)
    note(`${method} ${path}`, answer.status, answer.body)
    return answer
  }
  const noteOutcome = async (what: string, work: Promise<unknown>) => {
    try {
      await work
      note(what, 200, '')
    } catch (error) {
      if (error instanceof Problem) note(what, problemTypes[error.slug].status, error.slug)
      else note(what, 500, `${(error as Error).stack}`)
    }
  }
  const line = () => ({
    ...{ ActivityID: pick(activityIds), Date: pick(days), Time: '10:00', Participants: 1 + below(3) },
  })
  const slot = () => {
    const { ActivityID: activityId, Date: date, Time: time } = line()
    return { activityId, date, time }
  }
  const items = (count: number) => Array.from({ length: count }, () => ({ unitId: 0, uuid: randomUUID() }))
  const acts: (() => Promise<unknown>)[] = [
    async () => {
      const { status, json } = await test.book('', line())
      note('book', status, JSON.stringify(json))
      if (status === 201) bookings.push(json.data.BookingReference)
    },
    async () => {
      const { status, json } = await ask('POST', '/bookings', {
        ...{ ...line(), Payment: { Method: 'cash' }, Customer: mark },
      })
      if (status === 201) bookings.push(json.data.BookingReference)
    },
    async () => {
      const { status, json } = await ask('POST', '/baskets', {
        ...{ Channel: 'pos', Lines: [line(), line()], Customer: mark },
        ...(chance(0.5) && { PromotionCode: 'TEN' }),
      })
      if (status === 201) baskets.push(json.data.BasketID)
    },
    async () => {
      const { status, json } = await ask('POST', '/waitlist', { ...line(), Participants: 4, Customer: mark })
      if (status === 201) waiting.push(json.data.WaitlistID)
    },
    async () => {
      const uuid = randomUUID()
      const order = { ...slot(), items: items(1 + below(3)) }
      await noteOutcome(
        'reserve',
        reservations.reserve({ caller, uuid, body: { uuid }, isAwaited: () => true }, async () => ({
          ...{ ...order, holdMinutes: null, resellerReference: null, notes: null },
          ...{ contact: null, emailReceipt: false, answers: [] },
        })),
      )
      held.push(uuid)
    },
    async () => {
      const uuid = some(held)
      const request = { isAwaited: () => true, ...(chance(0.3) && { items: items(2) }) }
      if (uuid) await noteOutcome('confirm', reservations.confirm(caller, uuid, request))
    },
    async () => {
      const uuid = some(held)
      if (uuid)
        await noteOutcome('update', reservations.update(caller, uuid, { slot: slot(), items: items(2) }))
    },
    async () => {
      const uuid = some(held)
      if (uuid) await noteOutcome('extend', reservations.extend(caller, uuid, 20))
    },
    async () => {
      const uuid = some(held)
      if (uuid) await noteOutcome('give back', reservations.cancel(caller, uuid, null))
    },
    async () => {
      const id = some(baskets)
      if (!id) return
      switch (below(8)) {
        case 0:
          return ask('POST', `/baskets/${id}/pay`, { Method: 'cash' })
        case 1:
          return ask('POST', `/baskets/${id}/lines`, { Lines: [line()] })
        case 2: {
          const { json } = await ask('GET', `/baskets/${id}`)
          const reference = json.data?.Lines[0]?.BookingReference
          return reference && ask('DELETE', `/baskets/${id}/lines/${reference}`)
        }
        case 3:
          return ask('PATCH', `/baskets/${id}`, { Customer: { FirstName: `B${below(99)}` } })
        case 4:
          return ask('PUT', `/baskets/${id}/promotion`, { Code: 'TEN' })
        case 5:
          return ask('DELETE', `/baskets/${id}/promotion`)
        case 6:
          return ask('POST', `/baskets/${id}/${pick(['cancel', 'extend'])}`)
        default:
          return ask('GET', '/baskets')
      }
    },
    async () => {
      const id = some(waiting)
      if (!id) return
      if (chance(0.2)) return ask('GET', `/waitlist`)
      return ask('POST', `/waitlist/${id}/${chance(0.7) ? 'take' : 'leave'}`)
    },
    async () => {
      const reference = some(bookings)
      if (!reference) return
      const path = `/bookings/${reference}`
      switch (below(10)) {
        case 0:
          return ask('POST', `${path}/cancel`)
        case 1:
          return ask('POST', `${path}/move`, { Date: pick(days), Time: '10:00' })
        case 2:
          return ask('POST', `${path}/amend`, { Participants: 1 + below(4) })
        case 3:
          return ask('POST', `${path}/attendance`, { Attendance: 'checked-in' })
        case 4:
          return ask('POST', `${path}/resend`)
        case 5:
          return ask('PATCH', path, { Customer: { FirstName: `A${below(99)}` } })
        case 6: {
          const { status, json } = await ask('POST', `${path}/tickets`)
          if (status === 200) for (const { TicketID } of json.data) tickets.push([reference, TicketID])
          return
        }
        case 7:
          return ask('GET', path)
        case 8:
          return ask('POST', `${bookingPath}/${reference}/cancel`)
        default:
          return ask('GET', `${bookingPath}/${reference}`)
      }
    },
    async () => {
      const [reference, id] = some(tickets) ?? []
      if (!id) return
      if (chance(0.3))
        return ask('PATCH', `/bookings/${reference}/tickets/${id}`, { ResellerReference: 'R1' })
      return ask('POST', `/tickets/${id}/${chance(0.7) ? 'redeem' : 'undo-redeem'}`)
    },
    async () => ask('GET', '/bookings?Limit=50'),
    async () => ask('GET', bookingPath),
  ]
  return { act: () => pick(acts)(), faults }
}
