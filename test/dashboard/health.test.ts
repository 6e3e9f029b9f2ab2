/** The Health page: the state of each part of the service for an account, and the retry of rejected usage. */
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { auditLastDays } from '../../src/metering/audit/service.ts'
import { auditPlaces } from '../../src/reports/sales-audit/service.ts'
import { makeCaller, makeProduct } from '../helper.ts'
import { entry } from '../metering/fixtures.ts'
import { until } from '../until.ts'
import { makeDashboard } from './fixtures.ts'

const log = pino({ level: 'silent' })

async function makeOwner(t: Test) {
  const dashboard = await makeDashboard(t)
  await until(() => dashboard.services.queue.state().reachable)
  return { ...dashboard, ...(await dashboard.signIn()) }
}

/** A section of a page, as text. */
function section(body: string, title: string): string {
  const [, rest = ''] = body.split(`<h2>${title}</h2>`)
  return rest
    .split('<h2>')[0]!
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

t.test('the page of health', async (t) => {
  t.test('tells an owner that all is well', async (t) => {
    const { get } = await makeOwner(t)
    let body = ''
    // On a busy machine, the check of the queue may take too long. It is repeated after a second.
    await until(async () => {
      const answer = await get('/dashboard/health')
      t.equal(answer.statusCode, 200)
      body = answer.body
      return !section(body, 'Service').includes('Degraded')
    })
    t.match(section(body, 'Service'), 'Ready')
    t.match(section(body, 'Rejected usage'), 'Every entry that was accepted could be stored')
    t.match(section(body, 'E-mails that failed'), 'No e-mail has failed')
    t.match(section(body, 'Nightly audits'), 'Not yet')
    t.match(body, 'href="/dashboard/queues"', 'the page links to the queues')
  })

  t.test('says why the service is degraded', async (t) => {
    const { services, get } = await makeOwner(t)
    services.queue.state = () => ({ reachable: false, reasons: ['The queue is gone.'], backlog: null })
    const text = section((await get('/dashboard/health')).body, 'Service')
    t.match(text, 'Degraded')
    t.match(text, 'The queue is gone.')
  })

  t.test('says how long events and e-mails have been waiting', async (t) => {
    const { sql, accountId, get } = await makeOwner(t)
    await sql`
      insert into events (account_id, type, actor, details, occurred_at)
      values (${accountId}, 'basket.completed', 'service', '{}', now() - interval '3 hours')`
    await sql`
      insert into emails (account_id, kind, next_try_at) values (${accountId}, 'test', now() - interval '10 minutes')`
    const text = section((await get('/dashboard/health')).body, 'Work that is waiting')
    t.match(text, /no number in the log yet 1 3 h Is a worker running/)
    t.match(text, /E-mails that are due 1 10 min Is a worker running/)
  })

  t.test('lists e-mails that failed, with the reason', async (t) => {
    const { sql, accountId, get } = await makeOwner(t)
    await sql`
      insert into emails (account_id, kind, status, reason, attempts)
      values (${accountId}, 'test', 'failed', '550 <no such mailbox>', 10)`
    t.match((await get('/dashboard/health')).body, '550 &#60;no such mailbox&#62;')
  })

  t.test('shows nothing of another account', async (t) => {
    const { sql, get } = await makeOwner(t)
    const { accountId } = await makeCaller(sql, { slug: 'other' })
    await sql`insert into usage_rejects (account_id, id, entry, reason) values (${accountId}, 9, '{}', 'theirs')`
    await sql`
      insert into emails (account_id, kind, status, reason) values (${accountId}, 'test', 'failed', 'theirs')`
    await sql`
      insert into events (account_id, type, actor, details)
      values (${accountId}, 'basket.completed', 'service', '{}')`
    const { body } = await get('/dashboard/health')
    t.notMatch(body, 'theirs')
    t.match(section(body, 'Work that is waiting'), /no number in the log yet 0/)
  })
})

t.test('the last audits', async (t) => {
  t.test('show that no difference was found, and mark an audit that ended long ago', async (t) => {
    const { sql, get } = await makeOwner(t)
    t.equal(await auditPlaces(sql, log), 0)
    t.equal(await auditLastDays(sql, 7, log), 0)
    const text = section((await get('/dashboard/health')).body, 'Nightly audits')
    t.equal(text.match(/All right/g)?.length, 2)
    await sql`update audits set finished_at = now() - interval '3 days'`
    t.match(section((await get('/dashboard/health')).body, 'Nightly audits'), 'Long ago')
  })

  t.test('show the differences until they are repaired', async (t) => {
    const { sql, accountId, get, book } = await makeOwner(t)
    const product = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 9 } })
    await book(product.activityId)
    await sql`update timeslots set booked = 5`
    await sql`insert into meter_daily (account_id, meter, day, total, events)
      values (${accountId}, 'calls', (now() at time zone 'UTC')::date, 1, 1)`
    t.equal(await auditPlaces(sql, log), 1)
    t.ok((await auditLastDays(sql, 7, log)) > 0)
    const text = section((await get('/dashboard/health')).body, 'Nightly audits')
    t.match(text, 'Differences: 1. See the log')
    t.notMatch(text, 'All right')
    await sql`update timeslots set booked = 2`
    t.equal(await auditPlaces(sql, log), 0)
    t.match(section((await get('/dashboard/health')).body, 'Nightly audits'), 'All right')
  })
})

t.test('rejected usage', async (t) => {
  const reject = (accountId: number, id: number, changes: object = {}) => ({
    account_id: accountId,
    id,
    entry: JSON.stringify(entry(accountId, id, changes)),
    reason: 'refused before',
  })

  t.test('is listed, and is stored once by a retry that is sent twice', async (t) => {
    const { sql, accountId, get, post } = await makeOwner(t)
    await sql`insert into usage_rejects ${sql([reject(accountId, 1, { meter: '<b>' })])}`
    const { body } = await get('/dashboard/health')
    t.match(body, '&#60;b&#62;: 1')
    const once = crypto.randomUUID()
    for (const _ of ['once', 'again']) {
      const answer = await post('/dashboard/health/rejects/retry', {}, { once })
      t.equal(answer.headers.location, '/dashboard/health?done=rejects-stored')
    }
    t.same(await sql`select id from usage_rejects`, [])
    t.same(await sql`select events from meter_daily`, [{ events: 1 }])
  })

  t.test(
    'that is too much for one retry is stored by two, and the first says that entries are left',
    async (t) => {
      const { sql, accountId, post } = await makeOwner(t)
      const rejects = Array.from({ length: 501 }, (_, index) => reject(accountId, index + 1))
      await sql`insert into usage_rejects ${sql(rejects)}`
      const locations = []
      for (const _ of ['first', 'second'])
        locations.push((await post('/dashboard/health/rejects/retry')).headers.location)
      t.same(locations, ['/dashboard/health?done=rejects-more', '/dashboard/health?done=rejects-stored'])
      t.same(await sql`select events from meter_daily`, [{ events: 501 }])
    },
  )

  t.test(
    'that is rejected again stays with the new reason; a retry does not touch other accounts, and needs the CSRF token',
    async (t) => {
      const { sql, accountId, post, get } = await makeOwner(t)
      const other = await makeCaller(sql, { slug: 'other' })
      await sql`insert into usage_rejects ${sql([reject(accountId, 1, { usage: '-1' }), reject(other.accountId, 2)])}`
      const answer = await post('/dashboard/health/rejects/retry')
      t.equal(answer.headers.location, '/dashboard/health?done=rejects-refused')
      t.notMatch((await get('/dashboard/health')).body, 'refused before')
      t.same(await sql`select id from usage_rejects where reason = 'refused before'`, [{ id: 2 }])
      t.equal((await post('/dashboard/health/rejects/retry', {}, { csrf: 'guessed' })).statusCode, 403)
    },
  )
})
