import { createHash } from 'node:crypto'
import t from 'tap'
import { changePassword, createUser, disableUser } from '../../src/accounts/users/service.ts'
import { build } from '../helper.ts'
import { password, tokenIn } from './fixtures.ts'
import { cookieOf, email, makeUser } from './sign-in-fixtures.ts'

t.test('signing in', async (t) => {
  t.test(
    'opens a session whose cookie no script and no other site can use, and stores only a hash of it',
    async (t) => {
      const { app, signIn, sql } = await makeUser(t)
      const answer = await signIn()
      t.equal(answer.statusCode, 303)
      t.equal(answer.headers.location, '/dashboard')
      t.match(answer.cookies, [{ name: 'abs_session', httpOnly: true, sameSite: 'Lax', path: '/dashboard' }])
      const page = await app.inject({ url: '/dashboard/account', headers: { cookie: cookieOf(answer) } })
      t.match(page.body, email)
      const token = cookieOf(answer).replace('abs_session=', '')
      t.same(await sql`select hash from sessions`, [{ hash: createHash('sha256').update(token).digest() }])
    },
  )

  t.test('leads back to the page that was requested, and to no other site', async (t) => {
    const { app, signIn } = await makeUser(t)
    const asked = await app.inject('/dashboard/account?Status=held')
    t.equal(asked.headers.location, '/dashboard/sign-in?next=%2Fdashboard%2Faccount%3FStatus%3Dheld')
    t.equal(
      (await signIn({ Next: '/dashboard/account?Status=held' })).headers.location,
      '/dashboard/account?Status=held',
    )
    for (const Next of ['https://evil.test', '//evil.test', '/dashboard//evil.test', '/dashboard\\evil'])
      t.equal((await signIn({ Next })).headers.location, '/dashboard', Next)
  })

  t.test('answers the same for a wrong password, an unknown user and an unknown account', async (t) => {
    const { signIn, sql, accountId } = await makeUser(t)
    await createUser(sql, { accountId, email: 'gone@quay.test', role: 'staff', password })
    await disableUser(sql, accountId, 'gone@quay.test')
    const wrong: Record<string, string>[] = [
      { Password: 'not it' },
      { Email: 'no@quay.test' },
      { Account: 'nobody' },
      { Email: 'gone@quay.test' },
    ]
    for (const changes of wrong) {
      const answer = await signIn(changes)
      t.equal(answer.statusCode, 403)
      t.match(answer.body, 'do not match')
      t.same(answer.cookies, [])
    }
  })

  t.test(
    'is refused for a while after five wrong guesses at a user, known or not, even with the right password',
    async (t) => {
      for (const Email of [email, 'no@quay.test']) {
        const { signIn, sql } = await makeUser(t)
        const guess = async () => (await signIn({ Email, Password: 'not it' })).statusCode
        t.same(await Promise.all([1, 2, 3, 4, 5].map(guess)), Array(5).fill(403))
        // The first wait is only one second, which may pass on a slow machine. With six guesses counted, the next
        // wait is two minutes.
        await sql`update sign_in_guesses set guesses = 6, closed_until = now() - interval '1 second'`
        const checked = (await Promise.all(Array.from({ length: 12 }, guess))).filter(
          (status) => status === 403,
        )
        t.equal(checked.length, 1, 'of many concurrent guesses, only one is checked')
        await sql`update sign_in_guesses set closed_until = now() + interval '10 minutes'`
        const refused = await signIn({ Email })
        t.equal(refused.statusCode, 429)
        t.match(refused.headers['retry-after'], /^\d+$/)
        await sql`update sign_in_guesses set closed_until = now() - interval '1 second'`
        t.equal((await signIn({ Email })).statusCode, Email === email ? 303 : 403)
      }
    },
  )

  t.test('counts guesses by the network address that the trusted proxies report', async (t) => {
    const { signIn, sql } = await makeUser(t, { TRUSTED_PROXIES: 'loopback' })
    const guess = (who: number, ip: string) =>
      // The first of the two addresses does not come from our proxy.
      signIn({ Email: `${who}@quay.test` }, { 'x-forwarded-for': `192.0.2.99, ${ip}` })
    await guess(0, '192.0.2.1')
    await sql`update sign_in_guesses set guesses = 20, closed_until = now() + interval '1 minute'`
    t.equal((await guess(1, '192.0.2.1')).statusCode, 429)
    t.equal((await sql`select from sign_in_guesses`).length, 2, 'a refused guess is not stored')
    t.equal((await guess(1, '192.0.2.2')).statusCode, 403)
    t.equal((await signIn({}, { 'x-forwarded-for': '192.0.2.2' })).statusCode, 303)
  })

  t.test('resets the count of guesses after the right password', async (t) => {
    const { signIn, sql } = await makeUser(t)
    for (const _ of [1, 2, 3]) await signIn({ Password: 'not it' })
    await signIn()
    t.same(await sql`select guesses from sign_in_guesses order by guesses desc`, [{ guesses: -27 }])
  })

  t.test('is refused from a form of another site', async (t) => {
    const { signIn } = await makeUser(t)
    t.equal((await signIn({}, { 'sec-fetch-site': 'cross-site' })).statusCode, 403)
    t.equal((await signIn({}, { origin: 'https://evil.test' })).statusCode, 403)
    t.equal((await signIn({}, { origin: 'http://booking.test' })).statusCode, 303)
  })
})

t.test('a session', async (t) => {
  t.test('ends when the user signs out, which needs the CSRF token of the session', async (t) => {
    const { app, signIn } = await makeUser(t)
    const headers = { cookie: cookieOf(await signIn()), 'content-type': 'application/x-www-form-urlencoded' }
    const page = await app.inject({ url: '/dashboard/account', headers })
    const post = (payload: string) =>
      app.inject({ method: 'POST', url: '/dashboard/sign-out', headers, payload })
    t.equal((await post('')).statusCode, 403)
    t.equal((await post('_csrf=guessed')).statusCode, 403)
    t.equal((await app.inject({ url: '/dashboard/account', headers })).statusCode, page.statusCode)
    t.equal((await post(`_csrf=${tokenIn(page.body)}`)).statusCode, 303)
    t.equal((await app.inject({ url: '/dashboard/account', headers })).statusCode, 303)
  })

  t.test('ends in every browser when the user signs out everywhere, or the password changes', async (t) => {
    const { app, signIn, sql, accountId } = await makeUser(t)
    const open = async () => ({
      cookie: cookieOf(await signIn()),
      'content-type': 'application/x-www-form-urlencoded',
    })
    const [one, other] = [await open(), await open()]
    const page = await app.inject({ url: '/dashboard/account', headers: one })
    const payload = `_csrf=${tokenIn(page.body)}`
    await app.inject({ method: 'POST', url: '/dashboard/sign-out-everywhere', headers: one, payload })
    t.equal((await app.inject({ url: '/dashboard/account', headers: other })).statusCode, 303)
    const third = await open()
    await changePassword(sql, { accountId, email, password: 'another long password' })
    t.equal((await app.inject({ url: '/dashboard/account', headers: third })).statusCode, 303)
  })

  t.test('continues for a user who changes their password, and ends in all other browsers', async (t) => {
    const { app, signIn } = await makeUser(t)
    const open = async () => ({
      cookie: cookieOf(await signIn()),
      'content-type': 'application/x-www-form-urlencoded',
    })
    const [one, other] = [await open(), await open()]
    const page = await app.inject({ url: '/dashboard/account', headers: one })
    const change = (Current: string) =>
      app.inject({
        method: 'POST',
        url: '/dashboard/account/password',
        headers: one,
        payload: new URLSearchParams({
          _csrf: tokenIn(page.body),
          Current,
          New: 'another long password',
        }).toString(),
      })
    t.equal((await change('not it')).statusCode, 422)
    const changed = await change(password)
    t.equal(changed.statusCode, 303)
    const kept = { cookie: cookieOf(changed) }
    t.equal((await app.inject({ url: '/dashboard/account', headers: kept })).statusCode, 200)
    t.equal((await app.inject({ url: '/dashboard/account', headers: other })).statusCode, 303)
    t.equal((await signIn()).statusCode, 403)
    t.equal((await signIn({ Password: 'another long password' })).statusCode, 303)
  })

  t.test('ends 12 hours after the user has signed in, even if it is in use', async (t) => {
    const { app, signIn, sql } = await makeUser(t)
    const answer = await signIn()
    t.match(answer.cookies, [{ name: 'abs_session', maxAge: 12 * 3600 }])
    const open = async () =>
      (await app.inject({ url: '/dashboard/account', headers: { cookie: cookieOf(answer) } })).statusCode
    const wait = (time: string) => sql`update sessions set expires_at = expires_at - ${time}::interval`
    await wait('11 hours 55 minutes')
    t.equal(await open(), 200)
    await wait('5 minutes')
    t.equal(await open(), 303)
  })

  t.test('ends when it expires, and a forged cookie opens nothing', async (t) => {
    const { app, signIn, sql } = await makeUser(t)
    const headers = { cookie: cookieOf(await signIn()) }
    await sql`update sessions set expires_at = now()`
    t.equal((await app.inject({ url: '/dashboard/account', headers })).statusCode, 303)
    const forged = { cookie: `abs_session=1.${'A'.repeat(43)}` }
    t.equal((await app.inject({ url: '/dashboard/account', headers: forged })).statusCode, 303)
    const post = await app.inject({ method: 'POST', url: '/dashboard/sign-out', headers: forged })
    t.equal(post.statusCode, 401)
  })
})

t.test('the sign-in page forbids inline script, foreign content and framing', async (t) => {
  const { app } = await build(t)
  const page = await app.inject('/dashboard/sign-in')
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, /default-src 'none'/)
  t.notMatch(policy, /unsafe-inline/)
  t.match(policy, /frame-ancestors 'none'/)
  t.equal((await app.inject('/dashboard/assets/dashboard.css')).statusCode, 200)
  t.match((await app.inject('/dashboard/nothing')).headers['content-type'], /html/)
})
