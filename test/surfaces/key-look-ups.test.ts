/** The cost of keys for PostgreSQL: a flood of unknown keys costs almost nothing. */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { revokeKey } from '../../src/accounts/service.ts'
import { createAuthentication } from '../../src/surfaces/authentication.ts'
import { createDatabase, makeCaller } from '../helper.ts'

/** Asks by key, on a clock of the test's own, and counts the statements that this takes. */
async function quay(t: Test) {
  const { sql } = await createDatabase(t)
  const { accountId, token } = await makeCaller(sql)
  const counted = { statements: 0, now: 1 }
  sql.options.debug = (_connection, text) => {
    if (text.includes('api_keys')) counted.statements++
  }
  const authenticate = createAuthentication(sql, {
    clock: { now: () => counted.now },
    lookUpMs: 60_000,
  })
  const ask = async (key: string): Promise<void> =>
    // biome-ignore lint/suspicious/noExplicitAny: only the headers are read
    (authenticate('ota') as any)({ headers: { authorization: `Bearer ${key}` } }, {})
  const badKey = () => `abs_${accountId}_${randomBytes(32).toString('base64url')}`
  return { sql, token, ask, badKey, counted }
}

t.test('an unknown key is looked up once a second', async (t) => {
  const { ask, badKey, counted } = await quay(t)
  const bad = badKey()
  for (let asked = 0; asked < 50; asked++) await t.rejects(ask(bad), { message: /valid API key/ })
  t.equal(counted.statements, 1)
  counted.now += 1001
  await t.rejects(ask(bad), { message: /valid API key/ })
  t.equal(counted.statements, 2)
})

t.test('a new key works after a second, even if it was tried before', async (t) => {
  const { sql, token, ask, counted } = await quay(t)
  await sql`update api_keys set revoked_at = now()`
  await t.rejects(ask(token), { message: /valid API key/ })
  await sql`update api_keys set revoked_at = null`
  counted.now += 1001
  await t.resolves(ask(token))
})

t.test('a revoked key is refused within 5 seconds, also where it was used a moment ago', async (t) => {
  const { sql, token, ask, counted } = await quay(t)
  await ask(token)
  const [key] = await sql<{ id: number }[]>`select id from api_keys`
  await revokeKey(sql, key!.id)
  // The look-up itself may take the last of the 5 seconds.
  counted.now += 4001
  await t.rejects(ask(token), { message: /valid API key/ })
})

t.test('many bad keys at once take few statements, and a good one among them is found', async (t) => {
  const { token, ask, badKey, counted } = await quay(t)
  const bad = Promise.allSettled(Array.from({ length: 400 }, () => ask(badKey())))
  await t.resolves(ask(token))
  const outcomes = await bad
  t.ok(
    outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason.slug === 'unauthenticated'),
  )
  t.ok(counted.statements <= 3, `${counted.statements} statements`)
})
