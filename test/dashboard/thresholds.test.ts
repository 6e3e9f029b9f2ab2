/** The page of thresholds on usage. */
import t from 'tap'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { createTestKey } from '../../src/test-mode/service.ts'
import { entry } from '../metering/fixtures.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const page = '/dashboard/usage/thresholds'
const daily = { Meter: 'photos', Period: 'day', Threshold: '1,250.5' }

t.test('the page of thresholds', async (t) => {
  const { sql, accountId, signIn } = await makeDashboard(t)
  const { get, post } = await signIn('staff')

  t.test('is linked on the page of usage, and says that there is no threshold yet', async (t) => {
    t.match((await get('/dashboard/usage')).body, `href="${page}"`)
    t.match(textOf((await get(page)).body), 'There is no threshold yet.')
  })

  t.test(
    'sets a threshold, with an amount in the local format, and lists it with its last crossing',
    async (t) => {
      const answer = await post(page, daily)
      t.equal(answer.statusCode, 303)
      t.equal(answer.headers.location, `${page}?done=threshold-set`)
      t.match(
        textOf((await get(`${page}?done=threshold-set`)).body),
        /The threshold is set.*photos each day 1,250.5 never/,
      )
      await storeEntries(sql, [entry(accountId, 1, { meter: 'photos', usage: '1300' })])
      t.match(textOf((await get(page)).body), /photos each day 1,250.5 .*20\d\d/)
      t.match((await sql`select amount from usage_thresholds`)[0], { amount: '1250.5' })
    },
  )

  t.test('sets one threshold if the form is sent twice', async (t) => {
    const fields = { ...daily, Meter: 'boats' }
    for (const _ of [1, 2]) t.equal((await post(page, fields, { once: 'one-form' })).statusCode, 303)
    t.equal((await sql`select from usage_thresholds where meter = 'boats'`).length, 1)
  })

  t.test('refuses an invalid threshold, and a second threshold for one meter and period', async (t) => {
    const wrong = await post(page, { Meter: '', Period: 'day', Threshold: 'many' })
    t.equal(wrong.statusCode, 422)
    t.match(textOf(wrong.body), 'Threshold must be a number above 0 and below 10^18')
    t.match(wrong.body, 'value="many"')
    const again = await post(page, daily)
    t.equal(again.statusCode, 409)
    t.match(textOf(again.body), 'already exists for this meter and period')
  })

  t.test('removes a threshold', async (t) => {
    const [{ id } = { id: 0 }] = await sql<
      { id: number }[]
    >`select id from usage_thresholds where meter = 'photos'`
    t.equal((await post(`${page}/${id}/remove`)).headers.location, `${page}?done=threshold-removed`)
    t.same(await sql`select from usage_thresholds where meter = 'photos'`, [])
    t.equal((await post(`${page}/${id}/remove`)).statusCode, 404)
  })

  t.test('has no form for another threshold when the account has 100', async (t) => {
    const form = `<form method="post" action="${page}"`
    t.match((await get(page)).body, form)
    await sql`
      insert into usage_thresholds (account_id, meter, period, amount)
      select ${accountId}, 'many', 'day', number
      from generate_series(1, 100 - (select count(*) from usage_thresholds)::integer) as number`
    const { body } = await get(page)
    t.notMatch(body, form)
    t.match(textOf(body), 'The account has 100 thresholds, the most that it may have.')
    const refused = await post(page, { ...daily, Meter: 'more' })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'The account may have at most 100 thresholds.')
    await sql`delete from usage_thresholds where meter = 'many'`
  })

  t.test('has thresholds of its own in test mode', async (t) => {
    await createTestKey(sql, { accountId, partner: null, scopes: ['usage:read'], expiresInDays: null })
    const testPage = '/dashboard/test/usage/thresholds'
    t.match(textOf((await get(testPage)).body), 'There is no threshold yet.')
    t.equal((await post(testPage, { ...daily, Meter: 'trials' })).statusCode, 303)
    t.match(textOf((await get(testPage)).body), 'trials each day 1,250.5 never')
    t.notMatch((await get(page)).body, 'trials')
  })
})
