import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createAccount } from '../../src/accounts/service.ts'
import { createUser } from '../../src/accounts/users/service.ts'
import { buildOn, makeProduct } from '../helper.ts'
import { pumpEvents } from '../pump.ts'
import { until } from '../until.ts'
import { makeDashboard } from './fixtures.ts'

/**
 * Opens the event stream. Retries after a 503, which the request timeout may cause on an overloaded
 * machine.
 */
async function listen(t: Test, app: FastifyInstance, headers: Record<string, string>) {
  let page = await open(t, app, headers)
  while (page.status === 503) page = await open(t, app, headers)
  return page
}

/** Opens the event stream as a browser does. `events` returns the names of events, `heartbeats` counts comments. */
async function open(t: Test, app: FastifyInstance, headers: Record<string, string>) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const request = get({ host: '127.0.0.1', port, path: '/dashboard/live', headers, agent: false })
  t.teardown(() => request.destroy())
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  let ended = false
  answer.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  answer.on('end', () => {
    ended = true
  })
  answer.on('error', () => {})
  const events = () => text.match(/(?<=^event: )\S+/gm) ?? []
  return {
    status: answer.statusCode,
    headers: answer.headers,
    events,
    heartbeats: () => (text.match(/^:$/gm) ?? []).length,
    lastId: () => text.match(/(?<=^id: )\S+/gm)?.at(-1) ?? '',
    hasEnded: () => ended,
    /** Resolves when there have been at least this many events. */
    seen: (count: number) => until(() => events().length >= count),
  }
}

/**
 * An app with this timeout checks the session of each open page every second. Sign-in uses another app, with the
 * default timeout.
 */
const shortTimeout = { REQUEST_TIMEOUT_SECONDS: '1' }

t.test('the event stream of open pages', async (t) => {
  const { url, sql, accountId, signIn, call, book, ...dashboard } = await makeDashboard(t)
  const { app } = await buildOn(t, url, shortTimeout)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 40 } })
  const { cookie } = await signIn()
  const [slot] = (await call('GET', '/timeslots')).data

  t.test(
    'reports changes to bookings, held places and timeslots through each of two web processes',
    async (t) => {
      const { app: other } = await buildOn(t, url)
      const pages = await Promise.all([listen(t, app, { cookie }), listen(t, other, { cookie })])
      t.match(pages[0]!.headers, { 'content-type': /^text\/event-stream/, 'cache-control': 'no-store' })
      let count = 1
      const expectChanged = async (what: string, change: () => Promise<unknown>) => {
        await change()
        await pumpEvents(sql)
        count++
        await Promise.all(pages.map((page) => page.seen(count)))
        t.same(
          pages.map((page) => page.events()),
          pages.map(() => Array(count).fill('changed')),
          what,
        )
      }
      await Promise.all(pages.map((page) => page.seen(count)))
      await expectChanged('a partner books', () => book(activityId))
      const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 3 }
      let basket = 0
      await expectChanged('places are held', async () => {
        basket = (await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })).data.BasketID
      })
      await expectChanged('held places are released', () => call('POST', `/baskets/${basket}/cancel`, {}))
      await expectChanged('a capacity changes', () =>
        call('PATCH', `/timeslots/${slot.ID}`, { Capacity: 50 }),
      )
      await expectChanged('a timeslot is closed', () => call('POST', `/timeslots/${slot.ID}/close`))
      await expectChanged('a timeslot is opened again', () => call('POST', `/timeslots/${slot.ID}/reopen`))
    },
  )

  t.test(
    'reports a commit while an older transaction is still open, and reports the older transaction later',
    async (t) => {
      const page = await listen(t, app, { cookie })
      await page.seen(1)
      await sql.begin(async (tx) => {
        await tx`
        insert into events (account_id, type, actor, details) values (${accountId}, 'basket.opened', 'service', '{}')`
        await book(activityId)
        await pumpEvents(sql)
        await page.seen(2)
      })
      await pumpEvents(sql)
      await page.seen(3)
      t.equal(page.events().length, 3)
    },
  )

  t.test('continues after the last event that a reconnecting browser has received', async (t) => {
    const first = await listen(t, app, { cookie })
    await first.seen(1)
    const position = first.lastId()
    const still = await listen(t, app, { cookie, 'last-event-id': position })
    await until(() => still.heartbeats() > 1)
    t.same(still.events(), [], 'nothing happened')
    await book(activityId)
    await pumpEvents(sql)
    await still.seen(1)
    const late = await listen(t, app, { cookie, 'last-event-id': position })
    await late.seen(1)
    t.not(late.lastId(), position)
    for (const forged of ['1', 'what', '0:0:', '9:1:']) {
      const page = await listen(t, app, { cookie, 'last-event-id': forged })
      await page.seen(1)
      t.same(page.events(), ['changed'], `${forged} is no position`)
    }
  })

  t.test('reports nothing of another account', async (t) => {
    const { id: otherId } = await createAccount(sql, { slug: 'pier', name: 'Pier', timeZone: 'UTC' })
    await createUser(sql, {
      accountId: otherId,
      email: 'ana@pier.test',
      role: 'staff',
      password: 'a long enough password',
    })
    const answer = await dashboard.app.inject({
      method: 'POST',
      url: '/dashboard/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'Account=pier&Email=ana@pier.test&Password=a+long+enough+password',
    })
    const theirs = `abs_session=${answer.cookies[0]!.value}`
    const [page, own] = [await listen(t, app, { cookie: theirs }), await listen(t, app, { cookie })]
    await Promise.all([page.seen(1), own.seen(1)])
    await book(activityId)
    await pumpEvents(sql)
    await own.seen(2)
    t.equal(page.events().length, 1)
  })
})

t.test('the connection of an open page', async (t) => {
  t.test('stays open for longer than the request timeout, and ends with the session', async (t) => {
    const { url, signIn } = await makeDashboard(t)
    const { cookie, post } = await signIn()
    const { app } = await buildOn(t, url, shortTimeout)
    const page = await listen(t, app, { cookie })
    await until(() => page.heartbeats() > 4)
    t.notOk(page.hasEnded())
    await post('/dashboard/sign-out')
    await until(page.hasEnded)
    t.equal(page.events().at(-1), 'signed-out')
    t.equal((await listen(t, app, { cookie })).status, 204, 'after a 204, a browser does not reconnect')
  })

  t.test('ends when the app is closed', async (t) => {
    const { url, signIn } = await makeDashboard(t)
    const { cookie } = await signIn()
    const { app } = await buildOn(t, url)
    const page = await listen(t, app, { cookie })
    await app.close()
    await until(page.hasEnded)
    t.notMatch(page.events().join(' '), 'signed-out', 'so that a browser reconnects')
  })

  t.test('is refused with 429 if the user has twelve other connections', async (t) => {
    const { app, signIn } = await makeDashboard(t)
    const { cookie } = await signIn()
    const { cookie: other } = await signIn('staff')
    for (let count = 0; count < 12; count++) t.equal((await listen(t, app, { cookie })).status, 200)
    const refused = await listen(t, app, { cookie })
    t.equal(refused.status, 429)
    t.ok(refused.headers['retry-after'])
    t.equal((await listen(t, app, { cookie: other })).status, 200)
  })
})
