/** The page to which a browser goes back from the response to a form. */
import t from 'tap'
import { makeDashboard } from '../fixtures.ts'

const path = '/dashboard/business-details'

t.test(
  'the response to a form names the page of the form, without the notice of an earlier action',
  async (t) => {
    const { app, signIn } = await makeDashboard(t)
    const user = await signIn()
    const send = async (referer?: string) => {
      const { body, statusCode } = await app.inject({
        method: 'POST',
        url: path,
        headers: {
          ...{ cookie: user.cookie, host: 'booking.test', ...(referer && { referer }) },
          'content-type': 'application/x-www-form-urlencoded',
        },
      })
      t.equal(statusCode, 403, 'the form has no token')
      return /data-form-page="([^"]*)"/.exec(body)?.[1]
    }
    t.equal(
      await send('http://booking.test/dashboard/today?Date=2030-06-15'),
      '/dashboard/today?Date=2030-06-15',
    )
    t.equal(await send(`http://booking.test${path}?done=saved&count=2`), path)
    t.equal(await send('http://elsewhere.test/dashboard/today'), path, 'a page of another host is not named')
    t.equal(await send('http://booking.test/docs/'), path)
    t.equal(await send('http://booking.test/dashboards'), path, 'only pages of the dashboard are named')
    t.equal(await send('http://'), path)
    t.equal(await send(), path)
    const refused = await app.inject({
      method: 'POST',
      url: `${path}?done=saved`,
      headers: {
        cookie: user.cookie,
        host: 'booking.test',
        referer: `http://booking.test${path}?done=saved&count=2`,
      },
    })
    t.match(refused.body, `href="${path}">Back</a>`, 'the link Back leads to the page without the notice')
    t.notMatch(refused.body, 'role="status" class="done"', 'a refused form does not show the notice either')
    t.notMatch(
      (await user.get(path)).body,
      'data-form-page',
      'a page that is not a response to a form names no other page',
    )
  },
)
