/**
 * Wrong passwords from elsewhere do not keep a user out in a browser, or at a network address, from which the
 * user signed in before.
 */
import t, { type Test } from 'tap'
import { changePassword, createUser, disableUser } from '../../src/accounts/users/service.ts'
import { sweepSignIns } from '../../src/accounts/users/sign-in.ts'
import { password, tokenIn } from './fixtures.ts'
import { browserOf, cookieOf, email, makeUser } from './sign-in-fixtures.ts'

const [office, home] = ['192.0.2.1', '192.0.2.2']
const next = 'another long password'

/** A user who signed in at the office; `from` sends the form from an address, with the cookie of a browser. */
async function makeOfficeUser(t: Test) {
  const made = await makeUser(t, { TRUSTED_PROXIES: 'loopback' })
  const { sql, signIn } = made
  const from = (address: string, changes: Record<string, string> = {}, cookie = '') =>
    signIn(changes, { 'x-forwarded-for': address, cookie })
  const opened = await from(office)
  t.equal(opened.statusCode, 303)
  /** Guesses a password from elsewhere, and makes the user wait 15 minutes, as many wrong guesses would. */
  const attack = async (Email = email) => {
    t.equal((await from('198.51.100.7', { Email, Password: 'not it' })).statusCode, 403)
    // The count of the attacker's address is -29, so this condition excludes it.
    await sql`
      update sign_in_guesses set guesses = 10, closed_until = now() + interval '15 minutes' where guesses > -20`
    t.equal((await from('198.51.100.8', { Email })).statusCode, 429)
  }
  return { ...made, from, attack, opened, browser: browserOf(opened) }
}

t.test('while somebody guesses the password elsewhere, the user', async (t) => {
  const { from, attack, browser } = await makeOfficeUser(t)
  await attack()

  t.test('signs in from a browser that signed in before, at any network address', async (t) => {
    t.equal((await from(home, {}, browser)).statusCode, 303)
  })

  t.test('signs in from a network address that signed in before, with any browser', async (t) => {
    t.equal((await from(office)).statusCode, 303)
  })

  t.test('changes the password in an open session', async (t) => {
    const { from, attack, app, opened } = await makeOfficeUser(t)
    await attack()
    const headers = {
      cookie: cookieOf(opened),
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': home,
    }
    const page = await app.inject({ url: '/dashboard/account', headers })
    const payload = new URLSearchParams({ _csrf: tokenIn(page.body), Current: password, New: next })
    const url = '/dashboard/account/password'
    const changed = await app.inject({ method: 'POST', url, headers, payload: payload.toString() })
    t.equal(changed.statusCode, 303)
    await attack()
    t.equal((await from('192.0.2.3', { Password: next }, browserOf(changed))).statusCode, 303)
  })
})

t.test('a browser or address that signed in before', async (t) => {
  t.test('has five free guesses of its own, and its wrong guesses keep nobody else out', async (t) => {
    const { from, sql, browser } = await makeOfficeUser(t)
    for (const [address, cookie] of [
      [home, browser],
      [office, ''],
    ] as const) {
      for (let guess = 0; guess < 5; guess++)
        t.equal((await from(address, { Password: 'not it' }, cookie)).statusCode, 403)
      t.equal((await sql`select from sign_in_guesses where guesses >= 0`).length, 1)
      await sql`update sign_in_guesses set closed_until = now() + interval '1 minute' where guesses >= 0`
      t.equal((await from(address, {}, cookie)).statusCode, 429)
      await sql`update sign_in_guesses set guesses = -1 where guesses >= 0`
    }
    t.equal((await from('192.0.2.3')).statusCode, 303)
  })

  t.test('forgets its wrong guesses after the right password', async (t) => {
    const { from, sql, browser } = await makeOfficeUser(t)
    const counts = () => sql`select guesses from sign_in_guesses where guesses <> -30`
    for (const _ of [1, 2, 3]) await from(home, { Password: 'not it' }, browser)
    t.same(await counts(), [{ guesses: -2 }])
    await from(home, {}, browser)
    t.same(await counts(), [])
  })

  t.test('is known for the user who signed in, and for nobody else', async (t) => {
    const { from, attack, sql, accountId, browser } = await makeOfficeUser(t)
    await createUser(sql, { accountId, email: 'bo@quay.test', role: 'staff', password })
    const Email = 'bo@quay.test'
    const other = browserOf(await from('192.0.2.3', { Email }))
    await attack(Email)
    const forged = `${other.split('=')[0]}=${browser.split('=')[1]}`
    for (const cookie of [browser, forged]) t.equal((await from(home, { Email }, cookie)).statusCode, 429)
    t.equal((await from(office, { Email })).statusCode, 429)
    t.equal((await from(home, { Email }, other)).statusCode, 303)
  })

  t.test('is stored as a hash, and its cookie cannot be used by scripts or other sites', async (t) => {
    const { opened, browser, sql } = await makeOfficeUser(t)
    const cookie = opened.cookies.find(({ name }) => name.startsWith('abs_browser_'))
    t.match(cookie, { httpOnly: true, sameSite: 'Lax', path: '/dashboard/sign-in', maxAge: 90 * 86_400 })
    t.notOk(cookie?.secure)
    const kept = JSON.stringify(await sql`select sign_in_origins::text as row from sign_in_origins`)
    t.equal((await sql`select from sign_in_origins`).length, 2)
    t.notMatch(kept, office)
    t.notMatch(kept, browser.split('=')[1]!)
    const https = await makeUser(t, { PUBLIC_URL: 'https://booking.test' })
    t.match((await https.signIn()).cookies, [{ secure: true }, { secure: true }])
  })

  t.test('is forgotten after ninety days, or when twenty others of its kind are newer', async (t) => {
    const { from, sql, browser } = await makeOfficeUser(t)
    await sql`
      insert into sign_in_origins (account_id, user_id, about, kind, last_at)
      select account_id, user_id, sha256((kind || n)::bytea), kind, last_at - n * interval '1 minute'
      from sign_in_origins, generate_series(1, 30) as n`
    await from(home, {}, browser)
    const kinds = () => sql`select kind, count(*) from sign_in_origins group by kind order by kind`
    t.same(await kinds(), [
      { kind: 'address', count: 20 },
      { kind: 'browser', count: 20 },
    ])
    await sql`update sign_in_origins set last_at = now() - interval '91 days' where kind = 'address'`
    await sweepSignIns(sql)
    t.same(await kinds(), [{ kind: 'browser', count: 20 }])
  })
})

t.test('a new password', async (t) => {
  t.test('resets the wrong guesses, and forgets known browsers, but not known addresses', async (t) => {
    const { from, attack, sql, accountId, browser } = await makeOfficeUser(t)
    for (const _ of [1, 2]) await from(home, { Password: 'not it' }, browser)
    await attack()
    await changePassword(sql, { accountId, email, password: next })
    t.equal((await from('203.0.113.9', { Password: next })).statusCode, 303)
    await attack()
    t.equal((await from('203.0.113.10', { Password: next }, browser)).statusCode, 429)
    t.equal((await from(office, { Password: next })).statusCode, 303, 'addresses stay known')
  })

  t.test('does not change the counts of other users', async (t) => {
    const { from, sql, accountId } = await makeOfficeUser(t)
    for (const Email of [email, 'bo@quay.test']) await from(home, { Email, Password: 'no' })
    await changePassword(sql, { accountId, email, password: next })
    t.same(await sql`select guesses from sign_in_guesses order by guesses`, [
      { guesses: -30 },
      { guesses: -28 },
      { guesses: -4 },
    ])
  })
})

t.test('a disabled user has no known browsers or addresses', async (t) => {
  const { sql, accountId } = await makeOfficeUser(t)
  await createUser(sql, { accountId, email: 'bo@quay.test', role: 'owner', password })
  await disableUser(sql, accountId, email)
  t.same(await sql`select from sign_in_origins`, [])
})
