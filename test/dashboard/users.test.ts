/** Users in the dashboard: owners invite and disable them, and one owner always remains. */
import t from 'tap'
import { makeCaller } from '../helper.ts'
import { makeDashboard } from './fixtures.ts'

t.test('an owner', async (t) => {
  t.test('invites somebody, whose password is shown once and opens the dashboard', async (t) => {
    const { app, signIn } = await makeDashboard(t)
    const { get, post } = await signIn()
    const once = crypto.randomUUID()
    const fields = { Email: 'New@Quay.test', Role: 'staff' }
    const answer = await post('/dashboard/users', fields, { once })
    t.equal(answer.statusCode, 200)
    const [, password] = /<p class="secret"><code>([^<]+)</.exec(answer.body)!
    const again = await post('/dashboard/users', fields, { once })
    t.match(again.body, 'was already made and shown')
    const page = (await get('/dashboard/users')).body
    t.notMatch(page, password)
    t.match(
      page,
      'Staff: everything but reports, users, partners, keys, secrets, webhooks, health, settings, cash outside tills, and exporting or erasing customers’ data',
    )
    const signedIn = await app.inject({
      method: 'POST',
      url: '/dashboard/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        Account: 'quay',
        Email: 'new@quay.test',
        Password: password!,
      }).toString(),
    })
    t.equal(signedIn.statusCode, 303)
  })

  t.test('cannot invite a user who exists, nor an invalid address', async (t) => {
    const { signIn, sql } = await makeDashboard(t)
    const { post } = await signIn()
    const taken = await post('/dashboard/users', { Email: 'owner@quay.test', Role: 'staff' })
    t.equal(taken.statusCode, 409)
    t.match(taken.body, 'the user owner@quay.test already exists')
    const broken = await post('/dashboard/users', { Email: 'nobody', Role: 'boss' })
    t.equal(broken.statusCode, 422)
    for (const label of ['E-mail address', 'Role']) t.match(broken.body, `<li>${label} `)
    t.equal((await sql`select from users`).length, 1)
  })

  t.test('disables somebody, who is signed out at once, and enables them again', async (t) => {
    const { signIn } = await makeDashboard(t)
    const [{ post }, staff] = [await signIn(), await signIn('staff')]
    t.equal((await staff.get('/dashboard/account')).statusCode, 200)
    const answer = await post(`/dashboard/users/${staff.userId}/disable`)
    t.equal(answer.headers.location, '/dashboard/users?done=user-disabled')
    t.equal((await staff.get('/dashboard/account')).statusCode, 303)
    await post(`/dashboard/users/${staff.userId}/enable`)
    t.equal((await staff.get('/dashboard/account')).statusCode, 303, 'ended sessions stay ended')
  })

  t.test('signs somebody out everywhere, and gives them another password', async (t) => {
    const { signIn, sql } = await makeDashboard(t)
    const [{ post }, staff] = [await signIn(), await signIn('staff')]
    await post(`/dashboard/users/${staff.userId}/sign-out`)
    t.equal((await staff.get('/dashboard/account')).statusCode, 303)
    const hashes = () => sql`select password_hash from users where id = ${staff.userId}`
    const before = await hashes()
    t.match((await post(`/dashboard/users/${staff.userId}/password`)).body, '<p class="secret">')
    t.notSame(await hashes(), before)
  })

  t.test('changes a role, which takes effect at once', async (t) => {
    const { signIn } = await makeDashboard(t)
    const [{ post }, staff] = [await signIn(), await signIn('staff')]
    t.equal((await staff.get('/dashboard/users')).statusCode, 403)
    await post(`/dashboard/users/${staff.userId}/role`, { Role: 'owner' })
    t.equal((await staff.get('/dashboard/users')).statusCode, 200)
  })
})

t.test('the last owner who can sign in', async (t) => {
  t.test('is neither disabled nor made staff', async (t) => {
    const { signIn, sql } = await makeDashboard(t)
    const owner = await signIn()
    const other = await signIn('owner', 'other@quay.test')
    await owner.post(`/dashboard/users/${other.userId}/disable`)
    for (const [path, fields] of [
      ['disable', {}],
      ['role', { Role: 'staff' }],
    ] as const) {
      const answer = await owner.post(`/dashboard/users/${owner.userId}/${path}`, fields)
      t.equal(answer.statusCode, 409)
      t.match(answer.body, 'is the last owner who can sign in')
    }
    t.same(await sql`select role, disabled_at from users where id = ${owner.userId}`, [
      { role: 'owner', disabled_at: null },
    ])
  })

  t.test('has no form that would change the role, and the page says why', async (t) => {
    const { signIn } = await makeDashboard(t)
    const [owner, staff] = [await signIn(), await signIn('staff')]
    const role = `action="/dashboard/users/${owner.userId}/role"`
    const { body } = await owner.get('/dashboard/users')
    t.notMatch(body, role)
    t.match(body, 'No other owner can sign in.')
    await owner.post(`/dashboard/users/${staff.userId}/role`, { Role: 'owner' })
    t.match((await owner.get('/dashboard/users')).body, role)
    await owner.post(`/dashboard/users/${staff.userId}/disable`)
    t.notMatch((await owner.get('/dashboard/users')).body, role, 'a disabled owner cannot sign in')
  })

  t.test('remains when two owners disable and demote each other at the same time', async (t) => {
    const { signIn, sql } = await makeDashboard(t)
    const [one, other] = [await signIn(), await signIn('owner', 'other@quay.test')]
    await Promise.all([
      one.post(`/dashboard/users/${other.userId}/disable`),
      other.post(`/dashboard/users/${one.userId}/role`, { Role: 'staff' }),
    ])
    t.equal((await sql`select from users where role = 'owner' and disabled_at is null`).length, 1)
  })
})

t.test(
  'users can be seen and changed only by owners of their account, in forms with a valid CSRF token',
  async (t) => {
    const { signIn, sql } = await makeDashboard(t)
    const [owner, staff] = [await signIn(), await signIn('staff')]
    const { accountId } = await makeCaller(sql, { slug: 'other' })
    const [theirs] = await sql<{ id: number }[]>`
    insert into users (account_id, email, role, password_hash) values (${accountId}, 'a@b.test', 'owner', 'x')
    returning id`
    t.notMatch((await owner.get('/dashboard/users')).body, 'a@b.test')
    for (const path of ['disable', 'enable', 'sign-out', 'password', 'role']) {
      const fields = { Role: 'staff' }
      t.equal((await owner.post(`/dashboard/users/${theirs!.id}/${path}`, fields)).statusCode, 404, path)
      t.equal((await staff.post(`/dashboard/users/${owner.userId}/${path}`, fields)).statusCode, 403, path)
      const forged = await owner.post(`/dashboard/users/${staff.userId}/${path}`, fields, {
        csrf: 'guessed',
      })
      t.equal(forged.statusCode, 403, path)
    }
    t.equal((await staff.get('/dashboard/users')).statusCode, 403)
    t.same(await sql`select role, disabled_at from users where id = ${theirs!.id}`, [
      { role: 'owner', disabled_at: null },
    ])
  },
)
