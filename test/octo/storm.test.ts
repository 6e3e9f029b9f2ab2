/** Many resellers at once on few timeslots, through two applications: every place is either vacant, held or sold. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { sweepExpiredHolds } from '../../src/inventory/expiry.ts'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { buildOn, makeCaller } from '../helper.ts'
import { untilAnswered } from '../http/until-answered.ts'
import { makeReseller } from './reseller.ts'

const seed = Date.now() % 2 ** 31
const resellers = 24
const day = '2030-06-15'
const slots = { [`${day} 10:00`]: 12, [`${day} 14:00`]: 5, [`${day} 18:00`]: 3 }
const starts = Object.keys(slots).map((at) => `${at.replace(' ', 'T')}:00+01:00`)

const count = fc.integer({ min: 1, max: 3 })
const possibleErrors = ['UNPROCESSABLE_ENTITY', 'INVALID_BOOKING_UUID']
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('reserve', 'reserve', 'confirm', 'update', 'extend', 'cancel', 'run out', 'again'),
    name: fc.nat(2),
    slot: fc.nat(2),
    count,
  }),
  { minLength: 14, maxLength: 14 },
)
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never
type Seen = { uuid: string; status: string; availabilityId: string; unitItems: object[] }

t.test('resellers that reserve, confirm, change and cancel on the same timeslots at once', async (t) => {
  t.comment(`seed ${seed}`)
  const { act, lists, availability, sql, accountId } = await openStorm(t)
  const plans = fc.sample(steps, { seed, numRuns: resellers })
  const answers = (await Promise.all(plans.map((plan, number) => act(number, plan)))).flat()

  t.test('each request succeeds, or gets one of the two errors that are possible here', async (t) => {
    const known = new Set(['200', ...possibleErrors])
    t.same(
      answers.filter((answer) => !known.has(answer)),
      [],
    )
    t.ok(answers.includes('200'))
  })

  t.test('free, held and sold places add up to the capacity of each timeslot', async (t) => {
    while ((await sweepExpiredHolds(sql)) > 0);
    const bookings = (await lists()).flat()
    for (const { id, vacancies, capacity } of await availability()) {
      const places = (...statuses: string[]) =>
        bookings
          .filter(({ availabilityId, status }) => availabilityId === id && statuses.includes(status))
          .reduce((sum, { unitItems }) => sum + unitItems.length, 0)
      const [held, sold] = [places('ON_HOLD'), places('CONFIRMED')]
      t.ok(
        vacancies >= 0 && vacancies + held + sold === capacity,
        `${vacancies} + ${held} + ${sold} of ${capacity}`,
      )
    }
    t.same(await listCounterDifferences(sql, accountId), [])
  })

  t.test('after all holds have expired, all free places can be reserved, and no more', async (t) => {
    await sql`update baskets set expires_at = app_now() - interval '1 second'`
    while ((await sweepExpiredHolds(sql)) > 0);
    for (const { id, vacancies } of await availability()) {
      const [slot, name] = [starts.indexOf(id), 0]
      for (const [left, answer] of [
        [vacancies, '200'],
        [0, 'UNPROCESSABLE_ENTITY'],
      ] as const)
        if (left > 0 || answer !== '200') {
          const asked = { slot, name, count: Math.max(1, left) }
          const outcome = await act(resellers + 2 * slot + (left > 0 ? 0 : 1), [
            { what: 'reserve', ...asked },
          ])
          t.same(outcome, [answer])
        }
    }
    t.same(
      (await availability()).map(({ vacancies }) => vacancies),
      [0, 0, 0],
    )
    t.same(await listCounterDifferences(sql, accountId), [])
  })
})

/** Makes resellers, which are named by numbers. Each sends its requests to one of two applications. */
async function openStorm(t: Test) {
  const { app, sql, url, accountId, activityId, ask } = await makeReseller(t, { slots })
  const apps = [app, (await buildOn(t, url)).app]
  const subject = { productId: activityId, optionId: 'DEFAULT' }
  const keys = await Promise.all(
    Array.from({ length: resellers + 6 }, (_, number) => makeCaller(sql, { partner: `Reseller ${number}` })),
  )

  /**
   * Performs the steps one after another. Returns `200` or the error code of each request; an error that must not
   * occur here has its status and message too.
   */
  async function act(number: number, plan: Step[]): Promise<string[]> {
    const { headers } = keys[number]!
    const uuids = [randomUUID(), randomUUID(), randomUUID()]
    const requests = new Map<number, object>()
    const send = async (method: 'POST' | 'PATCH', path: string, payload: object) => {
      const from = apps[number % apps.length]!
      const answer = await untilAnswered(() =>
        from.inject({ method, url: `/octo/bookings${path}`, headers, payload }),
      )
      if (answer.statusCode === 200) return '200'
      const { error, errorMessage } = answer.json()
      return possibleErrors.includes(error) ? error : `${error} (${answer.statusCode}): ${errorMessage}`
    }
    const outcomes: string[] = []
    for (const { what, name, slot, count } of plan) {
      const uuid = uuids[name]!
      const unitItems = Array.from({ length: count }, () => ({ unitId: '0' }))
      const places = { ...subject, availabilityId: starts[slot]!, unitItems }
      if (what === 'reserve') requests.set(name, { uuid, ...places })
      if (what === 'run out')
        await sql`
          update baskets set expires_at = app_now() - interval '1 second'
          where id = (select basket_id from reservations join bookings on bookings.id = booking_id where uuid = ${uuid})`
      else if (what === 'reserve' || what === 'again')
        outcomes.push(await send('POST', '', requests.get(name) ?? { uuid, ...places }))
      else if (what === 'update') outcomes.push(await send('PATCH', `/${uuid}`, places))
      else outcomes.push(await send('POST', `/${uuid}/${what}`, {}))
    }
    return outcomes
  }

  return {
    ...{ sql, accountId, act },
    /** The bookings of each reseller. */
    lists: () =>
      Promise.all(
        keys.map(async ({ headers }) => {
          const answer = await untilAnswered(() =>
            app.inject({ url: `/octo/bookings?localDate=${day}`, headers }),
          )
          return answer.json() as Seen[]
        }),
      ),
    async availability(): Promise<{ id: string; vacancies: number; capacity: number }[]> {
      const body = { ...subject, localDate: day }
      return (await untilAnswered(() => ask('POST', '/availability', { body }))).body
    },
  }
}
