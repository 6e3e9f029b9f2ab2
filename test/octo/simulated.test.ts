/** Simulated responses, which a test booking selects by the e-mail address of its contact. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { activityIdPattern } from '../../src/catalogue/model.ts'
import { makeProduct } from '../helper.ts'
import { makeModes } from '../test-mode/fixtures.ts'
import { morning } from './bookings/fixtures.ts'

t.test('simulated responses through OCTO', async (t) => {
  const { app, sql, accountId, testId, openTest, partner } = await makeModes(t)
  const product = await makeProduct(sql, accountId, { name: 'Sail', slots: { '2030-06-15 10:00': 8 } })
  t.match(product.activityId, new RegExp(activityIdPattern))
  const { ask, headers } = await openTest()
  const places = { productId: product.activityId, optionId: 'DEFAULT', availabilityId: morning }
  const bodyFor = (emailAddress: string | null, uuid: string = randomUUID()) => {
    return { uuid, ...places, unitItems: [{ unitId: '0' }], contact: { emailAddress } }
  }
  const reserve = (emailAddress: string | null) => ask('POST', '/octo/bookings', bodyFor(emailAddress))
  const held = async () =>
    (await sql`select held from timeslots where account_id = ${testId} and product_id = ${product.id}`)[0]!
      .held

  for (const [name, status, error] of [
    ['sold-out', 400, 'UNPROCESSABLE_ENTITY'],
    ['timeslot-closed', 400, 'UNPROCESSABLE_ENTITY'],
    ['product-gone', 400, 'INVALID_PRODUCT_ID'],
    ['error', 500, 'INTERNAL_SERVER_ERROR'],
    ['unavailable', 503, 'INTERNAL_SERVER_ERROR'],
    ['typo', 400, 'BAD_REQUEST'],
  ] as const)
    t.test(`${name} gets ${error}, and nothing is held`, async (t) => {
      const answer = await reserve(`${name}@simulated.test`)
      t.match(answer, { status, json: { error } })
      t.equal(await held(), 0)
    })

  t.test(
    'the responses to a reservation and its confirmation are lost once, and a retry gets each',
    async (t) => {
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      const uuid = randomUUID()
      const send = (path: string, body: object) =>
        fetch(`${address}/octo/bookings${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const body = bodyFor('answer-lost@simulated.test', uuid)
      await t.rejects(send('', body))
      t.equal(await held(), 1)
      t.match(await (await send('', body)).json(), { uuid, status: 'ON_HOLD' })
      t.equal(await held(), 1)
      await t.rejects(send(`/${uuid}/confirm`, { contact: body.contact }))
      t.match(await (await send(`/${uuid}/confirm`, { contact: body.contact })).json(), {
        uuid,
        status: 'CONFIRMED',
      })
    },
  )

  t.test('a contact without an address simulates nothing, nor does any contact in live mode', async (t) => {
    t.match(await reserve(null), { status: 200 })
    const payload = bodyFor('sold-out@simulated.test')
    const live = await app.inject({
      method: 'POST',
      url: '/octo/bookings',
      headers: partner.headers,
      payload,
    })
    t.equal(live.statusCode, 200)
  })
})
