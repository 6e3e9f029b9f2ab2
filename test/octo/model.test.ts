/**
 * Random sequences of operations by resellers and the operator, and of expiries, on the service and on a model of
 * OCTO's specification.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { build, makeCaller, makeProduct } from '../helper.ts'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'
import { find, type GivenItems, type Model, type ModelBooking, statusOf, type Unit } from './model.ts'
import { type Ask, createRunner, type World } from './model-world.ts'
import { type ItemsChoice, type Operation, operations } from './operations.ts'

const seed = Date.now() % 2 ** 31
const maxMs = 20_000
const partners = ['Viator', 'Klook']

t.test('after any sequence of requests, bookings are as the OCTO specification says', async (t) => {
  t.comment(`seed ${seed}`)
  const worlds = await openWorlds(t)
  let [runs, steps] = [0, 0]
  const property = fc.asyncProperty(
    fc.array(operations, { minLength: 1, maxLength: 40, size: 'max' }),
    async (all) => {
      const world = await worlds.makeWorld(++runs)
      const runner = createRunner(world)
      for (const one of all) {
        const fault = (await carryOut(runner, world, one)) ?? (await runner.compare())
        if (fault) throw new Error(`${JSON.stringify(one)}: ${fault}`)
        steps++
      }
    },
  )
  await fc.assert(property, { seed, numRuns: 60, interruptAfterTimeLimit: maxMs })
  t.comment(`${runs} sequences, ${steps} operations in all`)
  t.same(await listCounterDifferences(worlds.sql, worlds.accountId), [], 'the counters match the bookings')
})

type Runner = ReturnType<typeof createRunner>

/**
 * Performs one operation, unless it is impossible in the booking's state. Returns how the service differs from the
 * model, or null.
 */
async function carryOut(runner: Runner, { uuids }: World, one: Operation): Promise<string | null> {
  const { state } = runner
  const named = { reseller: one.reseller, uuid: uuids[one.uuid]! }
  const booking = find(state, named)
  const status = booking && statusOf(booking)
  const isHeld = booking?.status === 'held'
  switch (one.do) {
    case 'reserve': {
      const { slot, said } = one
      const items = one.units.map((unit) => ({
        uuid: one.isNamed ? randomUUID() : null,
        unit: unitAt(state, slot, unit),
      }))
      const asked = { ...named, do: 'reserve', slot, items, said } as const
      return runner.request({ ...asked, request: JSON.stringify(runner.bodyOf({ ...asked, request: '' })) })
    }
    case 'reserve again':
      return booking && runner.reserveAgain(booking)
    case 'confirm':
    case 'update': {
      const slot = one.do === 'update' ? one.slot : null
      const items = one.items && itemsOf(state, booking, slot, one.items)
      const at = slot === null ? {} : { slot }
      return runner.request({ ...named, do: one.do, ...at, said: one.said, ...(items && { items }) })
    }
    case 'extend':
    case 'cancel':
      return runner.request({ ...named, do: one.do })
    case 'run out':
      return isHeld ? runner.runOut(booking).then(() => null) : null
    case 'sweep':
      return runner.sweep().then(() => null)
    case 'cut-off':
      return runner.passCutoff(one.hasPassed).then(() => null)
    case 'attend': {
      // A party with a scanned ticket is already checked in.
      if (booking?.status !== 'confirmed' || booking.items.some(({ isRedeemed }) => isRedeemed)) return null
      return runner.attend(booking, !booking.isCheckedIn)
    }
    case 'scan': {
      const item = booking?.items[one.place]
      if (!booking || !item || booking.status !== 'confirmed' || booking.isCheckedIn) return null
      return runner.scan(booking, one.place, item.isRedeemed)
    }
    case 'operator cancels':
      return booking && !state.cutoffPassed && (status === 'CONFIRMED' || status === 'ON_HOLD')
        ? runner.cancelByOperator(booking)
        : null
  }
}

/** The given unit, or what the product of the slot sells instead: a place for a person, or an adult. */
function unitAt({ slots }: Model, slot: number, unit: Unit): Unit {
  return slots[slot]!.product === 'sauna' ? 'person' : unit === 'person' ? 'adult' : unit
}

function itemsOf(
  state: Model,
  booking: ModelBooking | null,
  slot: number | null,
  { kept, byUuid, added }: ItemsChoice,
): GivenItems {
  const at = slot ?? booking?.slot ?? 0
  const isSameProduct = booking && state.slots[booking.slot]!.product === state.slots[at]!.product
  const existing = isSameProduct ? booking.items.filter((_, place) => (kept >> place) & 1) : []
  const given = [
    ...existing.map(({ uuid, unit }) => ({ uuid: byUuid ? uuid : null, unit })),
    ...added.map((unit) => ({ uuid: null, unit: unitAt(state, at, unit) })),
  ]
  return given.length > 0 ? given : [{ uuid: null, unit: unitAt(state, at, 'adult') }]
}

/** An operator with two resellers; each world has products, and a day, of its own. */
async function openWorlds(t: Test) {
  const { app, sql } = await build(t)
  const operator = await makeCaller(sql, { scopes: ['operator'] })
  const { accountId } = operator
  const callers = await Promise.all(partners.map((partner) => makeCaller(sql, { partner })))
  const ask: Ask = async (reseller, method, path, payload) => {
    const { headers } = callers[reseller]!
    const answer = await app.inject({ method, url: `/octo${path}`, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.json() }
  }
  const operate = (path: string, payload: object = {}) =>
    app.inject({ method: 'POST', url: `/api/v2/operator${path}`, headers: operator.headers, payload })

  async function makeWorld(number: number): Promise<World> {
    const day = new Date(Date.now() + (20 + number) * 864e5).toISOString().slice(0, 10)
    const make = (name: string, slots: Record<string, number>) =>
      makeProduct(sql, accountId, { name: `${name} ${number}`, slots })
    const tour = await make('Tour', { [`${day} 10:00`]: 4, [`${day} 14:00`]: 3 })
    const sauna = await make('Sauna', { [`${day} 18:00`]: 3 })
    const [adult, child] = await giveUnits(sql, accountId, tour.id, [
      { name: 'Adult', type: 'ADULT' },
      { name: 'Child', type: 'CHILD', priceMinor: 2000, maxQuantity: 2 },
    ])
    await sql`update units set accompanied_by = array[${adult!}::bigint] where id = ${child!}`
    const slotsOf = async (product: 'tour' | 'sauna', { activityId }: typeof tour) => {
      const asked = { productId: activityId, optionId: 'DEFAULT', localDate: day }
      const { body } = await ask<{ id: string; capacity: number }[]>(0, 'POST', '/availability', asked)
      return body.map(({ id, capacity }) => ({
        ...{ product, capacity, availabilityId: id },
      }))
    }
    return {
      ...{ sql, ask, operate, day },
      productIds: { tour, sauna },
      unitIds: { adult: String(adult), child: String(child), person: '0' },
      slots: [...(await slotsOf('tour', tour)), ...(await slotsOf('sauna', sauna))],
      uuids: [randomUUID(), randomUUID(), randomUUID()],
    }
  }
  return { sql, accountId, makeWorld }
}
