/** A test account has the catalogue of its live account, and places of its own. */

import { pino } from 'pino'
import t from 'tap'
import { changeCapacity, closeTimeslot } from '../../src/catalogue/timeslots/editing/service.ts'
import { theService } from '../../src/events/actor.ts'
import { createPump } from '../../src/events/pump/pump.ts'
import { followLive } from '../../src/test-mode/following.ts'
import { createTestKey } from '../../src/test-mode/service.ts'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../helper.ts'
import { until } from '../until.ts'

t.test('test keys and the test account', async (t) => {
  const { app, sql } = await build(t)
  const { accountId, headers } = await makeCaller(sql, { partner: 'Atlas', scopes: ['ota', 'operator'] })
  const product = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 4, '2030-06-16 10:00': 4 },
  })
  const scopes = ['ota', 'operator', 'usage:read', 'usage:write'] as const
  const token = await createTestKey(sql, { accountId, partner: 'Atlas', scopes, expiresInDays: null })
  const test = { authorization: `Bearer ${token}` }
  const pump = createPump({ sql, log: pino({ level: 'silent' }), consumers: [] })
  const follow = async () => {
    await pump()
    await followLive(sql)
    await pump()
  }
  const by = { accountId, actor: theService }
  const availability = async (key: Record<string, string>) => {
    const url = `/api/v2/ota/marketplace/availability/${product.activityId}/timeslots?Date=2030-06-15`
    const response = await app.inject({ url, headers: key })
    return response.json<{ data: unknown[] }>().data
  }

  t.test('a test key has its own prefix', async (t) => {
    t.match(token, /^abs_test_\d+_/)
  })

  t.test('a test key gets the same list of products as a live key', async (t) => {
    const list = (key: Record<string, string>) =>
      app.inject({ url: '/api/v2/ota/marketplace/products', headers: key })
    t.same((await list(test)).json(), (await list(headers)).json())
  })

  t.test('bookings with a test key take no live place', async (t) => {
    const response = await app.inject({
      method: 'POST',
      url: bookingPath,
      headers: test,
      payload: bookingBody(product.activityId),
    })
    t.equal(response.statusCode, 201, response.body)
    t.match(await availability(headers), [{ Available: 4 }])
    t.match(await availability(test), [{ Available: 2 }])
  })

  t.test('the test account follows changes of the live catalogue', async (t) => {
    const [slot] = await sql<{ id: number }[]>`
      select id from timeslots where account_id = ${accountId} and date = '2030-06-15'`
    await sql.begin((tx) => changeCapacity(tx, by, { id: slot!.id, capacity: 6 }))
    await follow()
    t.match(await availability(test), [{ Capacity: 6, Available: 4 }])
    await sql.begin((tx) => changeCapacity(tx, by, { id: slot!.id, capacity: 1 }))
    await follow()
    t.same(await availability(test), [], 'test bookings keep their places')
    await sql.begin((tx) => closeTimeslot(tx, by, slot!.id))
    await follow()
    t.same(await availability(test), [])
  })

  t.test(
    'a change of units that commits while the test account is updated is followed as a whole',
    async (t) => {
      const put = (path: string, payload: object) =>
        app.inject({
          method: 'PUT',
          url: `/api/v2/operator/products/${product.id}/${path}`,
          headers,
          payload,
        })
      const unit = (Name: string) => ({
        ...{ Name, Type: 'ADULT', Default: true },
        Price: { Amount: '45.00', Currency: 'EUR' },
      })
      t.equal((await put('units', { Units: [unit('Adult')] })).statusCode, 200)
      await follow()
      await sql`update products set description = 'New.' where account_id = ${accountId} and id = ${product.id}`
      const blocker = await sql.reserve()
      await blocker`begin`
      await blocker`
      select from products where account_id = ${-accountId} and id = ${product.id} for update`
      const following = followLive(sql)
      await until(async () => {
        const rows = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return rows.length > 0
      })
      t.equal((await put('units', { Units: [unit('Grown-up')] })).statusCode, 200)
      await blocker`rollback`
      blocker.release()
      await following
      const [wrong] = await sql`
      select from units join products on products.account_id = units.account_id and products.id = units.product_id
      where units.account_id = ${-accountId} and position is not null
        and coalesce(units.price_minor, 0) = 0 and units.id <> products.default_unit_id`
      t.notOk(wrong, 'each unit has a price')
      await follow()
      const prices = { Units: [{ Price: { Amount: '45.00' } }] }
      const url = `/api/v2/ota/marketplace/availability/${product.activityId}/timeslots?Date=2030-06-16`
      t.match((await app.inject({ url, headers: test })).json().data, [prices])
      t.equal((await put('units', { Units: [] })).statusCode, 200)
    },
  )

  t.test('a timeslot’s own price for a deleted unit is deleted in the test account too', async (t) => {
    const units = `/api/v2/operator/products/${product.id}/units`
    const unit = (Name: string, Default: boolean) => ({
      ...{ Name, Type: 'ADULT', Default },
      Price: { Amount: '45.00', Currency: 'EUR' },
    })
    const put = (Units: object[]) => app.inject({ method: 'PUT', url: units, headers, payload: { Units } })
    const made = (await put([unit('Adult', true), unit('Child', false)])).json().data
    const [slot] = await sql<{ id: number }[]>`
      select id from timeslots where account_id = ${accountId} and date = '2030-06-16'`
    const priced = await app.inject({
      method: 'PATCH',
      url: `/api/v2/operator/timeslots/${slot!.id}`,
      headers,
      payload: { UnitPrices: [{ UnitID: made[1].UnitID, Amount: '12.00' }] },
    })
    t.equal(priced.statusCode, 200, priced.body)
    await follow()
    const pricesOf = async (id: number) => {
      const [row] = await sql<{ prices: unknown }[]>`
        select unit_prices as prices from timeslots where account_id = ${id} and id = ${slot!.id}`
      return row!.prices
    }
    t.ok(await pricesOf(-accountId))
    t.equal((await put([unit('Adult', true)])).statusCode, 200)
    await follow()
    t.same(await pricesOf(-accountId), await pricesOf(accountId))
    t.equal((await put([])).statusCode, 200)
    await follow()
  })

  t.test('the catalogue of a test account cannot be changed through a test key', async (t) => {
    const [slot] = await sql<{ id: number }[]>`
      select id from timeslots where account_id = ${accountId} and date = '2030-06-16'`
    const response = await app.inject({
      method: 'PATCH',
      url: `/api/v2/operator/timeslots/${slot!.id}`,
      headers: test,
      payload: { Capacity: 100 },
    })
    t.equal(response.statusCode, 409, response.body)
    t.match(response.json(), { title: 'The catalogue is that of live mode' })
  })

  t.test('a statement that does not follow the live account cannot write the test catalogue', async (t) => {
    for (const table of ['products', 'timeslots', 'partners'])
      await t.rejects(sql`delete from ${sql(table)} where account_id = ${-accountId}`, { code: 'ABT01' })
    await t.rejects(sql`update timeslots set capacity = 100 where account_id = ${-accountId}`, {
      code: 'ABT01',
    })
  })
})
