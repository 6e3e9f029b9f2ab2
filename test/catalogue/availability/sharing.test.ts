/** Many requests for many products by one account do not block the requests of other accounts. */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { maxProducts } from '../../../src/catalogue/availability/model.ts'
import { createAvailability } from '../../../src/catalogue/availability/service.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'
import { until } from '../../until.ts'

const month = { from: '2030-06-01', to: '2030-07-01' }
const slots = { '2030-06-15 10:00': 8 }

async function prepare(t: Test) {
  const { sql } = await createDatabase(t)
  const noisy = await makeCaller(sql)
  const quiet = await makeCaller(sql, { slug: 'quiet' })
  const product = await makeProduct(sql, quiet.accountId, { slots })
  const reads: (() => Promise<unknown>)[] = []
  const read = <T>(query: (sql: Sql) => Promise<T>) =>
    new Promise<T>((resolve) => {
      reads.push(async () => resolve(await query(sql)))
    })
  const availability = createAvailability(read, () => () => {})
  /** A hundred unknown products, which cost as much to look up as known ones. */
  const unknownProducts = () =>
    Array.from({ length: maxProducts }, () => {
      return { accountId: noisy.accountId, activity: randomUUID(), ...month }
    })
  const asked = { accountId: quiet.accountId, activity: product.activityId.slice(2), ...month }
  /** Resolves when everything that needs neither a read nor a timer has been done. */
  const settled = async () => {
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ...{ availability, asked, unknownProducts },
    /** Waits until at least `expected` reads wait for the test, and no more come. Returns how many wait. */
    async waiting(expected: number) {
      await until(() => reads.length >= expected)
      await settled()
      return reads.length
    },
    /** Lets reads continue, one after another, until `end`. */
    async goOn(end: () => boolean) {
      while (!end()) {
        await reads.shift()?.()
        await settled()
      }
    },
  }
}

t.test(
  'requests for 100 products use two connections, and at most three of them finish before one of another account',
  async (t) => {
    const { availability, asked, unknownProducts, waiting, goOn } = await prepare(t)
    const order: string[] = []
    const note = (name: string) => (lists: unknown[]) => {
      order.push(name)
      return lists
    }
    const noisy = Array.from({ length: 20 }, () =>
      availability.listDatesOfMany(unknownProducts()).then(note('noisy')),
    )
    t.equal(await waiting(2), 2)
    const quiet = availability.listDatesOfMany([asked]).then(note('quiet'))
    const single = availability.listDates(asked)
    const day = availability.listTimeslots({ ...asked, from: '2030-06-15', to: '2030-06-15' })
    t.equal(await waiting(4), 4, 'the reads of one product have begun')
    await goOn(() => order.length === noisy.length + 1)
    t.ok(order.indexOf('quiet') <= 3, order.join(' '))
    t.match((await quiet)[0], [/"Available":8/])
    t.match(await single, [/"Available":8/])
    t.match(await day, [{ Available: 8 }])
  },
)

t.test(
  'an account gets 503 when its waiting requests fill four fifths of the queue; other accounts are served',
  async (t) => {
    const { availability, asked, unknownProducts, waiting, goOn } = await prepare(t)
    const ask = (count: number) =>
      Array.from({ length: count }, () => availability.listDatesOfMany(unknownProducts()))
    const accepted = ask(2)
    t.equal(await waiting(2), 2)
    accepted.push(...ask(80))
    await t.rejects(availability.listDatesOfMany(unknownProducts()), /Too many requests are waiting/)
    let answered = 0
    const count = () => answered++
    for (const one of accepted) one.then(count)
    availability.listDatesOfMany([asked]).then(count)
    await goOn(() => answered === accepted.length + 1)
  },
)
