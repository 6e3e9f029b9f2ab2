/** The check of keys takes few statements, even for many unknown keys, and soon refuses a revoked key. */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { revokeKey } from '../../src/accounts/service.ts'
import { createAuthentication } from '../../src/surfaces/authentication.ts'
import { createDatabase, makeCaller } from '../helper.ts'

/** Functions that check keys by the clock `counted.now`. `counted.statements` counts the statements about keys. */
async function countLookUps(t: Test) {
  const { sql } = await createDatabase(t)
  const { accountId, token } = await makeCaller(sql)
  const counted = { statements: 0, now: 1, takesMs: 0 }
  sql.options.debug = (_connection, text) => {
    if (!text.includes('api_keys')) return
    counted.statements++
    counted.now += counted.takesMs
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
  const { ask, badKey, counted } = await countLookUps(t)
  const bad = badKey()
  for (let asked = 0; asked < 50; asked++) await t.rejects(ask(bad), { message: /valid API key/ })
  t.equal(counted.statements, 1)
  counted.now += 1001
  await t.rejects(ask(bad), { message: /valid API key/ })
  t.equal(counted.statements, 2)
})

t.test('a key that was refused is accepted a second after it has become valid', async (t) => {
  const { sql, token, ask, counted } = await countLookUps(t)
  await sql`update api_keys set revoked_at = now()`
  await t.rejects(ask(token), { message: /valid API key/ })
  await sql`update api_keys set revoked_at = null`
  counted.now += 1001
  await t.resolves(ask(token))
})

t.test('a revoked key is refused within 5 seconds, also if it was used just before', async (t) => {
  const { sql, token, ask, counted } = await countLookUps(t)
  await ask(token)
  const [key] = await sql<{ id: number }[]>`select id from api_keys`
  await revokeKey(sql, key!.id)
  counted.now += 5001
  await t.rejects(ask(token), { message: /valid API key/ })
})

t.test('a slow look-up does not delay the refusal of a revoked key', async (t) => {
  const { sql, token, ask, counted } = await countLookUps(t)
  counted.takesMs = 3000
  await ask(token)
  counted.takesMs = 0
  const [key] = await sql<{ id: number }[]>`select id from api_keys`
  await revokeKey(sql, key!.id)
  counted.now += 2000
  await t.resolves(ask(token), 'it is cached until five seconds after the look-up began')
  counted.now += 1
  await t.rejects(ask(token), { message: /valid API key/ })
})

t.test(
  '400 unknown keys at once take at most 3 statements, and a valid one among them is accepted',
  async (t) => {
    const { token, ask, badKey, counted } = await countLookUps(t)
    const bad = Promise.allSettled(Array.from({ length: 400 }, () => ask(badKey())))
    await t.resolves(ask(token))
    const outcomes = await bad
    t.ok(
      outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason.slug === 'unauthenticated'),
    )
    t.ok(counted.statements <= 3, `${counted.statements} statements`)
  },
)
