/** Signing in to a web process from the build, whose bundles include the npm packages. */
import t from 'tap'
import { createUser } from '../../src/accounts/users/service.ts'
import { createDatabase, makeCaller } from '../helper.ts'
import { startWeb } from '../processes.ts'
import { password } from './fixtures.ts'
import { email } from './sign-in-fixtures.ts'

t.test('a user signs in to a web process from the build, and stays signed in', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql, { slug: 'quay' })
  await createUser(sql, { accountId, email, role: 'owner', password })
  const web = await startWeb(t, url)
  const signIn = `${web.url}/dashboard/sign-in`

  const answer = await fetch(signIn, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ Account: 'quay', Email: email, Password: password }),
  })
  t.equal(answer.status, 303)
  t.equal(answer.headers.get('location'), '/dashboard')
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  t.ok(
    cookie.some((pair) => pair!.includes('abs_session=')),
    'the browser gets a session',
  )

  const page = await fetch(`${web.url}/dashboard/bookings`, {
    headers: { cookie: cookie.join('; ') },
    redirect: 'manual',
  })
  t.equal(page.status, 200, 'the session opens the next page')
})
