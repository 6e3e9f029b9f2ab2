/** A revoked key stops working on a process that has just used it; key-look-ups.test.ts checks how soon. */
import t from 'tap'
import { revokeKey } from '../../src/accounts/service.ts'
import { build, makeCaller } from '../helper.ts'
import { until } from '../until.ts'

t.test('a revoked key is soon refused, even by a process that has just used it', async (t) => {
  const { app, sql } = await build(t)
  const { headers } = await makeCaller(sql)
  const status = async () =>
    (await app.inject({ url: '/api/v2/ota/marketplace/products', headers })).statusCode
  t.equal(await status(), 200)
  const [key] = await sql<{ id: number }[]>`select id from api_keys`
  await revokeKey(sql, key!.id)
  await until(async () => (await status()) === 401)
})
