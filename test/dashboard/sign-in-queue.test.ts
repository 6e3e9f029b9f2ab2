/** The order in which passwords are checked. Each check keeps a processor busy for a while. */
import t from 'tap'
import { makeCaller } from '../helper.ts'
import { until } from '../until.ts'
import { blockPasswordChecks, makeUser } from './sign-in-fixtures.ts'

const proxied = { TRUSTED_PROXIES: 'loopback' }
const from = (address: string) => ({ 'x-forwarded-for': address })

t.test('network addresses are served in turn', async (t) => {
  const { signIn, sql } = await makeUser(t, proxied)
  const counted = async (rows: number) => (await sql`select from sign_in_guesses`).length === rows
  const release = await blockPasswordChecks(t)
  const statuses: number[] = []
  const many = Array.from({ length: 16 }, async (_, index) => {
    const guess = { Email: `${index}@quay.test`, Password: 'not it' }
    statuses.push((await signIn(guess, from('192.0.2.1'))).statusCode)
  })
  // A row for each user, and one for the address.
  await until(() => counted(17))
  const other = signIn({ Password: 'not it' }, from('192.0.2.2'))
  await until(() => counted(19))
  release()
  t.equal((await other).statusCode, 403)
  t.ok(statuses.length < 5, `${statuses.length} of 16 guesses from another address were answered before`)
  await Promise.all(many)
  t.same(new Set(statuses), new Set([403]), 'concurrent guesses are not refused as too many')
})

t.test(
  'an IPv6 network of 64 bits counts as one address, and so do all spellings of an IPv4 address',
  async (t) => {
    const { signIn, sql } = await makeUser(t, proxied)
    const guess = async (address: string) =>
      (await signIn({ Email: 'no@quay.test', Password: 'not it' }, from(address))).statusCode
    for (const [first, same, other] of [
      ['2001:db8:0:1::1', '2001:DB8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:2::1'],
      ['::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.2'],
    ] as const) {
      t.equal(await guess(first), 403)
      await sql`update sign_in_guesses set closed_until = now() + interval '1 minute' where guesses < -4`
      t.equal(await guess(same), 429)
      t.equal(await guess(other), 403)
      await sql`delete from sign_in_guesses`
    }
  },
)

t.test('while strangers send more guesses than may wait in the queue', async (t) => {
  const { app, sql, signIn } = await makeUser(t, proxied)
  const { headers } = await makeCaller(sql, { slug: 'neighbour' })
  const office = from('192.0.2.1')
  t.equal((await signIn({}, office)).statusCode, 303)
  const release = await blockPasswordChecks(t)
  let checked = 0
  let refused = () => {}
  const full = new Promise<void>((resolve) => {
    refused = resolve
  })
  const strangers = Array.from({ length: 60 }, async (_, index) => {
    const guess = { Email: `${index}@quay.test`, Password: 'not it' }
    const { statusCode } = await signIn(guess, from(`198.51.100.${index}`))
    if (statusCode === 503) refused()
    else checked++
  })
  await Promise.race([full, Promise.all(strangers)])

  await t.test(
    'guesses that wait leave enough database connections for requests of other accounts',
    async (t) => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => app.inject({ url: '/api/v2/ota/marketplace/products', headers })),
      )
      for (const { statusCode } of answers) t.equal(statusCode, 200)
      t.equal(checked, 0)
    },
  )

  release()
  await t.test('a user at a known address signs in', async (t) => {
    t.equal((await signIn({}, office)).statusCode, 303)
  })
  await Promise.all(strangers)
})
