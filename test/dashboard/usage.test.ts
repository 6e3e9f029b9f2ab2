/** Usage in the dashboard: the same figures as in the API, the entries behind them, and CSV files of both. */
import t, { type Test } from 'tap'
import { createKey } from '../../src/accounts/service.ts'
import type { Entry } from '../../src/metering/model.ts'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { makeCaller } from '../helper.ts'
import { entry } from '../metering/fixtures.ts'
import { until } from '../until.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const days = 'from=2026-11-01&to=2026-11-30'

/** Staff, signed in to an account with these entries. By default, an entry is of 20 November 2026. */
async function makeUsage(t: Test, entries: Partial<Entry>[]) {
  const dashboard = await makeDashboard(t)
  const { sql, app, accountId, services } = dashboard
  await storeEntries(
    sql,
    entries.map((changes, index) => entry(accountId, index + 1, changes)),
  )
  await until(() => services.queue.state().reachable)
  const key = await createKey(sql, { accountId, partner: null, scopes: ['usage:read'], expiresInDays: null })
  const headers = { authorization: `Bearer ${key}` }
  const summarize = async (query: string) =>
    (await app.inject({ url: `/api/v2/usage/meters?${query}`, headers })).json().data
  return { ...dashboard, ...(await dashboard.signIn('staff')), summarize }
}

/** The exact figures that a page shows, in their order. */
function figuresIn(body: string): number[] {
  return [...body.matchAll(/<data value="([^"]+)">/g)].map(([, value]) => Number(value))
}

/** The lines of a file, without its byte order mark. */
function linesOf(body: string): string[] {
  return body.slice(1).trimEnd().split('\r\n')
}

t.test('the page of usage', async (t) => {
  t.test('shows for each meter and day what the API says', async (t) => {
    const { get, summarize } = await makeUsage(t, [
      { usage: '0.1' },
      { usage: '0.2' },
      { meter: 'boats', usage: '7', occurredAt: Date.parse('2026-11-19T12:00:00Z') / 1000 },
    ])
    const { body, statusCode } = await get(`/dashboard/usage?${days}`)
    t.equal(statusCode, 200)
    const { Meters, Totals } = await summarize(`${days}&granularity=day`)
    const figures = (of: { TotalUsage: number; EventCount: number }) => [of.TotalUsage, of.EventCount]
    t.same(figuresIn(body), [
      ...Meters.flatMap(figures),
      Totals.Events,
      ...Meters.flatMap(({ Days }: { Days: [] }) => Days.flatMap(figures)),
    ])
    t.match(body, '<svg class="columns" role="img" aria-label="boats by day')
    t.match(body, 'these figures include every accepted entry')
  })

  t.test('says how many entries it does not count', async (t) => {
    const { get, sql, accountId } = await makeUsage(t, [{}])
    await sql`insert into usage_rejects (account_id, id, entry, reason) values (${accountId}, 99, '{}', 'no')`
    t.match(
      (await get(`/dashboard/usage?${days}`)).body,
      'Accepted entries that are not counted yet: at least 1.',
    )
  })

  t.test('shows the last thirty days if its address names no days', async (t) => {
    const now = Math.floor(Date.now() / 1000)
    const { get } = await makeUsage(t, [{ meter: 'fresh', occurredAt: now }])
    const { body } = await get('/dashboard/usage')
    t.match(body, 'fresh')
    const [, from] = /name="from" value="([^"]+)"/.exec(body)!
    const [, to] = /name="to" value="([^"]+)"/.exec(body)!
    t.equal((Date.parse(to!) - Date.parse(from!)) / 86_400_000, 29)
  })

  t.test('shows only totals for a range that is too long for a chart', async (t) => {
    const { get } = await makeUsage(t, [{}])
    const { body } = await get('/dashboard/usage?from=0001-01-01&to=9999-12-31')
    t.match(body, 'Choose a shorter range')
    t.same(figuresIn(body), [1, 1, 1])
    t.match(body, 'A file covers at most 731 days.')
    t.notMatch(body, '.csv', 'a file of so many days would be refused')
    t.match((await get('/dashboard/usage?from=2025-12-01&to=2027-12-01')).body, 'entries.csv?from=2025-12-01')
  })

  t.test('shows the 200 largest of very many meters, and says so', async (t) => {
    const meters = Array.from({ length: 205 }, (_, index) => ({ meter: `m-${index}`, usage: `${index + 1}` }))
    const { get } = await makeUsage(t, meters)
    const { body } = await get(`/dashboard/usage?${days}`)
    t.match(body, 'The 200 largest meters are shown')
    t.same(figuresIn(body).slice(0, 2), [205, 1])
    t.equal(figuresIn(body).slice(0, 400).at(-2), 6)
    t.notMatch(body, '>m-4<')
    t.match(body, 'Entries in all: <data value="205">205</data>')
  })

  t.test('keeps each of several meters in its form', async (t) => {
    const { get } = await makeUsage(t, [{ meter: 'boats' }, { meter: 'bikes' }, { meter: 'tents' }])
    const shown = async (meters: string) => {
      const { body } = await get(`/dashboard/usage?${days}&${meters}`)
      return [...body.matchAll(/name="meter" value="([^"]*)"/g)].map(([, value]) => value)
    }
    t.same(await shown('meter=boats&meter=bikes'), ['boats', 'bikes'])
    t.same(await shown('meter='), [''])
    t.same(await shown('meter=&meter=bikes'), ['bikes'], 'a field that the user empties is left out')
    t.same(await shown(''), [''])
  })

  t.test('names what is wrong with a range', async (t) => {
    const { get } = await makeUsage(t, [])
    const inPortuguese = { 'accept-language': 'pt-PT' }
    const backwards = await get('/dashboard/usage?from=2026-11-30&to=2026-11-01')
    t.equal(backwards.statusCode, 422)
    t.match(textOf(backwards.body), 'To must not be before the first day')
    const range = 'from=2026-11-30&to=2026-11-01'
    const translated = await get(`/dashboard/usage/entries?${range}`, inPortuguese)
    t.match(textOf(translated.body), 'Até não pode ser antes do primeiro dia')
    t.equal((await get('/dashboard/usage?from=2026-02-30')).statusCode, 422)
    t.equal((await get('/dashboard/usage/entries.csv?from=2026-11-30&to=2026-11-01')).statusCode, 422)
  })
})

t.test('the list of entries', async (t) => {
  t.test('has further pages', async (t) => {
    const { get } = await makeUsage(
      t,
      Array.from({ length: 3 }, (_, index) => ({ meter: `meter-${index}` })),
    )
    const first = await get(`/dashboard/usage/entries?${days}&limit=2`)
    t.match(first.body, 'meter-1')
    t.notMatch(first.body, 'meter-2')
    const [, next] = /rel="next" href="([^"]+)"/.exec(first.body)!
    const second = await get(next!.replaceAll('&#38;', '&'))
    t.match(second.body, 'meter-2')
    t.notMatch(second.body, 'rel="next"')
  })

  t.test('voids an entry with a reason, and shows the same page again', async (t) => {
    const { get, post, summarize } = await makeUsage(t, [{}, {}])
    const answer = await post(`/dashboard/usage/entries/1/void?${days}`, { Reason: 'sent <twice>' })
    t.equal(answer.statusCode, 303)
    const { location } = answer.headers
    t.equal(location, '/dashboard/usage/entries?from=2026-11-01&to=2026-11-30&done=voided')
    const { body } = await get(String(location))
    t.match(body, 'The entry is voided')
    t.match(body, 'sent &#60;twice&#62;')
    t.equal((await summarize(days)).Totals.Events, 1)
  })

  t.test('refuses to void without a reason or CSRF token, or an entry of another account', async (t) => {
    const { post, sql, summarize } = await makeUsage(t, [{}])
    const other = await makeCaller(sql, { slug: 'other' })
    await storeEntries(sql, [entry(other.accountId, 77)])
    const missing = await post(`/dashboard/usage/entries/1/void?${days}`)
    t.equal(missing.statusCode, 422)
    t.match(missing.body, 'Reason')
    const forged = await post('/dashboard/usage/entries/1/void', { Reason: 'x' }, { csrf: 'guessed' })
    t.equal(forged.statusCode, 403)
    t.equal((await post('/dashboard/usage/entries/77/void', { Reason: 'x' })).statusCode, 404)
    t.equal((await summarize(days)).Totals.Events, 1)
    t.same(await sql`select id from meter_entries where voided_at is not null`, [])
  })
})

t.test('a file', async (t) => {
  t.test('the file of days has a line for each day and meter', async (t) => {
    const { get } = await makeUsage(t, [{ usage: '0.1' }, { usage: '0.2' }, { meter: '=boats', usage: '7' }])
    const answer = await get(`/dashboard/usage/days.csv?${days}`)
    t.equal(answer.headers['usage-pending'], '0')
    t.same(linesOf(answer.body), [
      'Day,Meter,TotalUsage,EventCount',
      `2026-11-20,"'=boats",7,1`,
      '2026-11-20,calls,0.3,2',
    ])
  })

  t.test('a file of more than 731 days is refused, and the page names this limit', async (t) => {
    const { get } = await makeUsage(t, [{}])
    for (const file of ['days', 'entries']) {
      const refused = await get(`/dashboard/usage/${file}.csv?from=2024-11-30&to=2026-12-01`)
      t.equal(refused.statusCode, 422, file)
      t.match(textOf(refused.body), 'To must be at most 730 days after the first day: ')
      t.match(refused.body, '731 days')
      t.equal((await get(`/dashboard/usage/${file}.csv?from=2024-12-01&to=2026-12-01`)).statusCode, 200, file)
    }
  })

  t.test('the file of entries has all entries, not only one page', async (t) => {
    const { get } = await makeUsage(
      t,
      Array.from({ length: 1001 }, () => ({ extraInfo: '{"a":1}' })),
    )
    const lines = linesOf((await get(`/dashboard/usage/entries.csv?${days}`)).body)
    t.equal(lines.length, 1002)
    t.match(lines[1], /^1,calls,1,"\{""a"":1\}",2026-11-20,2026-11-20T10:00:00.000Z,/)
  })
})
