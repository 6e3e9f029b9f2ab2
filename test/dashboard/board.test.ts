/** The pages of the queues, which Bull Board serves: who may see them, and which changes they accept. */

import { UnrecoverableError } from 'bullmq'
import type { Test } from 'tap'
import { openStore } from '../../src/queue/connections.ts'
import { makeCaller } from '../helper.ts'
import { onBothStores, redisUrl, type StoreName } from '../metering/fixtures.ts'
import { until } from '../until.ts'
import { makeDashboard } from './fixtures.ts'

const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** Signs in an owner and staff. `put` sends a change as the owner does on the page of the board. */
async function makeBoard(t: Test, store: StoreName, environment: Record<string, string> = {}) {
  const redis: Record<string, string> = store === 'redis' ? { REDIS_URL: redisUrl } : {}
  const dashboard = await makeDashboard(t, { environment: { ...redis, ...environment } })
  const { app, services } = dashboard
  await until(() => services.queue.state().reachable)
  const [owner, staff] = [await dashboard.signIn(), await dashboard.signIn('staff')]
  const put = (path: string, headers: Record<string, string> = sameOrigin, method: 'PUT' | 'POST' = 'PUT') =>
    app.inject({
      method,
      url: `/dashboard/queues/api/queues/${path}`,
      headers: { cookie: owner.cookie, ...headers },
    })
  return { ...dashboard, owner, staff, put }
}

/** Adds a usage job with one entry, makes it fail permanently, and returns it. */
async function failJob({ services, url }: Awaited<ReturnType<typeof makeBoard>>) {
  const { config, log, queue } = services
  const options = { redisUrl: config.REDIS_URL, databaseUrl: url, prefix: config.QUEUE_PREFIX, log }
  const store = openStore(options, 'endless')
  const worker = store.makeWorker(
    'usage',
    async () => {
      throw new UnrecoverableError('unreadable')
    },
    { concurrency: 1, removeOnComplete: { count: 0 } },
  )
  const failed = new Promise((resolve) => worker.on('failed', resolve))
  await queue.add('usage.store', [[1, 2, 3, 'secret-meter', '1', 5, null]])
  await failed
  store.failFast()
  await worker.close()
  await store.close()
  const [job] = await services.queue
    .listQueues()
    .find(({ name }) => name === 'usage')!
    .getFailed()
  return job!
}

await onBothStores('the board', async (t, store) => {
  await t.test('answers a request with an unsupported Expect header with 400 and an HTML page', async (t) => {
    const { app } = await makeBoard(t, store)
    const response = await app.inject({ url: '/dashboard/queues', headers: { expect: 'a miracle' } })
    t.equal(response.statusCode, 400)
    t.match(response.headers['content-type'], 'text/html')
  })

  await t.test('shows an owner the queues, without a request to another host', async (t) => {
    const { owner } = await makeBoard(t, store)
    const page = await owner.get('/dashboard/queues')
    t.equal(page.statusCode, 200)
    t.match(page.headers['content-type'], 'text/html')
    t.notMatch(page.body, /https?:\/\//)
    t.notMatch(page.body, / style=|<style/)
    const policy = String(page.headers['content-security-policy'])
    t.match(policy, "default-src 'none'")
    t.notMatch(policy, 'unsafe-inline')
    const script = /src="(static\/js\/main[^"]+)"/.exec(page.body)![1]
    t.equal((await owner.get(`/dashboard/queues/${script}`)).statusCode, 200)
    const { queues } = (await owner.get('/dashboard/queues/api/queues')).json()
    t.same(queues.map(({ name }: { name: string }) => name).sort(), [
      'emails',
      'events',
      'holds',
      'maintenance',
      'reports',
      'test-accounts',
      'usage',
      'webhooks',
      'workflows',
    ])
  })

  await t.test('retries a failed job, and refuses to add or remove jobs and to pause queues', async (t) => {
    const built = await makeBoard(t, store)
    const { put, owner } = built
    const job = await failJob(built)
    const shown = await owner.get(`/dashboard/queues/api/queues/usage/${job.id}`)
    t.match(shown.body, 'secret-meter')
    for (const path of [
      `usage/${job.id}/clean`,
      'usage/clean/failed',
      'usage/empty',
      'usage/obliterate',
      'usage/pause',
      'pause',
    ])
      t.equal((await put(path)).statusCode, 403, path)
    t.equal((await put('usage/add', sameOrigin, 'POST')).statusCode, 403)
    t.equal(await job.getState(), 'failed')
    t.equal((await put(`usage/${job.id}/retry`)).statusCode, 204)
    t.equal(await job.getState(), 'waiting')
  })

  await t.test('makes a delayed job ready to run', async (t) => {
    const { services, put } = await makeBoard(t, store)
    const queue = services.queue.listQueues().find(({ name }) => name === 'reports')!
    const job = await queue.add('report', {}, { delay: 3_600_000 })
    t.equal(await job.getState(), 'delayed')
    t.equal((await put(`reports/${job.id}/promote`)).statusCode, 204)
    t.equal(await job.getState(), 'waiting')
  })

  await t.test('refuses changes that its own page did not send', async (t) => {
    const built = await makeBoard(t, store)
    const job = await failJob(built)
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://booking.test' },
      { origin: 'https://evil.test' },
    ]
    for (const headers of foreign)
      t.equal((await built.put(`usage/${job.id}/retry`, headers)).statusCode, 403, JSON.stringify(headers))
    t.equal(await job.getState(), 'failed')
    // Over plain HTTP, a browser sends no Sec-Fetch-Site header, only Origin.
    t.equal((await built.put(`usage/${job.id}/retry`, { origin: 'http://booking.test' })).statusCode, 204)
  })

  await t.test('is closed to staff, and to visitors who are not signed in', async (t) => {
    const { app, staff } = await makeBoard(t, store)
    for (const path of ['', '/', '/queue/usage', '/api/queues', '/static/js/x.js']) {
      t.equal((await staff.get(`/dashboard/queues${path}`)).statusCode, 403, path)
      const answer = await app.inject(`/dashboard/queues${path}`)
      t.match(answer.headers.location, '/dashboard/sign-in', path)
    }
    const put = await app.inject({
      method: 'PUT',
      url: '/dashboard/queues/api/queues/pause',
      headers: sameOrigin,
    })
    t.equal(put.statusCode, 401)
  })

  await t.test('without QUEUES_ACCOUNT, is closed to everybody when a second account exists', async (t) => {
    const { owner, sql, put } = await makeBoard(t, store)
    t.match((await owner.get('/dashboard/health')).body, 'href="/dashboard/queues"')
    await makeCaller(sql, { slug: 'other' })
    for (const path of ['', '/api/queues', '/api/queues/usage/1'])
      t.equal((await owner.get(`/dashboard/queues${path}`)).statusCode, 403, path)
    t.equal((await put('usage/1/retry')).statusCode, 403)
    t.match(
      (await owner.get('/dashboard/queues')).body,
      'nobody may see them until QUEUES_ACCOUNT names the account',
    )
    t.notMatch((await owner.get('/dashboard/health')).body, 'href="/dashboard/queues"')
  })

  await t.test(
    'is open to owners of the account that runs the service, even if other accounts exist',
    async (t) => {
      const { owner, staff, sql } = await makeBoard(t, store, { QUEUES_ACCOUNT: 'quay' })
      await makeCaller(sql, { slug: 'other' })
      t.equal((await owner.get('/dashboard/queues/api/queues')).statusCode, 200)
      t.equal((await staff.get('/dashboard/queues/api/queues')).statusCode, 403)
    },
  )

  await t.test('is closed to owners of any other account, even if it is the only account', async (t) => {
    const { owner } = await makeBoard(t, store, { QUEUES_ACCOUNT: 'somebody' })
    t.equal((await owner.get('/dashboard/queues/api/queues')).statusCode, 403)
    t.match(
      (await owner.get('/dashboard/queues')).body,
      'only owners of the account that QUEUES_ACCOUNT names',
    )
  })

  await t.test('answers 503 with the reason when the queue cannot be reached', async (t) => {
    const { owner, services } = await makeBoard(t, store)
    services.queue.state = () => ({ reachable: false, reasons: [], backlog: null })
    const answer = await owner.get('/dashboard/queues')
    t.equal(answer.statusCode, 503)
    t.match(answer.body, 'The queue cannot be reached')
  })

  await t.test('answers 503 with Retry-After when the queue stops answering', async (t) => {
    const { owner, services } = await makeBoard(t, store)
    for (const queue of services.queue.listQueues())
      queue.getJobCounts = () =>
        Promise.reject(new Error('Query read timeout of postgres://user:secret@host'))
    const answer = await owner.get('/dashboard/queues/api/queues')
    t.equal(answer.statusCode, 503)
    t.equal(answer.headers['retry-after'], '1')
    t.notMatch(answer.body, 'secret')
  })
})
