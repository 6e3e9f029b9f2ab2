/** Thresholds by the API and by commands. */
import t from 'tap'
import { storeEntries } from '../../../src/metering/store/storage.ts'
import { createTestKey } from '../../../src/test-mode/service.ts'
import { prepareCommands } from '../../command-line.ts'
import { makeCaller } from '../../helper.ts'
import { until } from '../../until.ts'
import { buildUsage, entry } from '../fixtures.ts'
import { listCrossed } from './fixtures.ts'

const path = '/api/v2/usage/thresholds'
const monthly = { Meter: 'calls', Period: 'month', Threshold: 2.5 }

t.test('thresholds by the API', async (t) => {
  const { app, sql, accountId, headers, record } = await buildUsage(t, 'postgres')
  const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, more: object = {}) =>
    app.inject({ method, url, headers: { ...headers, ...more }, ...(payload && { payload }) })
  const list = async () => (await ask('GET', path)).json().data

  t.test('one is set, listed by meter and period, and removed', async (t) => {
    const made = await ask('POST', path, monthly)
    t.equal(made.statusCode, 201)
    const { data } = made.json()
    t.match(data, { ...monthly, ThresholdID: Number, CreatedAt: Number, LastCrossedAt: null })
    const others = [
      { Meter: 'calls', Period: 'day', Threshold: 100 },
      { Meter: ' boats ', Period: 'total', Threshold: 0.00000001 },
      { Meter: 'calls', Period: 'month', Threshold: 1 },
    ]
    for (const other of others) t.equal((await ask('POST', path, other)).statusCode, 201)
    t.match(await list(), [{ ...others[1], Meter: 'boats' }, others[0], others[2], monthly])
    const removed = await ask('DELETE', `${path}/${data.ThresholdID}`)
    t.equal(removed.statusCode, 200)
    t.same(removed.json().data, data)
    t.equal((await list()).length, 3)
    t.equal((await ask('DELETE', `${path}/${data.ThresholdID}`)).statusCode, 404)
  })

  t.test('the same one again gets 409 threshold-exists with its ID', async (t) => {
    const body = { Meter: 'pages', Period: 'total', Threshold: 10 }
    const { ThresholdID } = (await ask('POST', path, body)).json().data
    const again = await ask('POST', path, { ...body, Threshold: 10.0 })
    t.equal(again.statusCode, 409)
    t.match(again.json(), { type: /threshold-exists$/, ThresholdID })
  })

  t.test('a retry with its Idempotency-Key gets the first response', async (t) => {
    const body = { Meter: 'tides', Period: 'day', Threshold: 10 }
    const first = await ask('POST', path, body, { 'idempotency-key': 'a' })
    const retry = await ask('POST', path, body, { 'idempotency-key': 'a' })
    t.equal(retry.statusCode, 201)
    t.same(retry.json(), first.json())
    t.equal(retry.headers['idempotency-replayed'], 'true')
    const other = await ask('POST', path, { ...body, Threshold: 11 }, { 'idempotency-key': 'a' })
    t.equal(other.statusCode, 422)
  })

  t.test('every failing field is named', async (t) => {
    const answer = await ask('POST', path, { Meter: '  ', Period: 'year', Threshold: 0 })
    t.equal(answer.statusCode, 422)
    t.same(
      answer
        .json()
        .errors.map(({ field }: { field: string }) => field)
        .sort(),
      ['Meter', 'Period', 'Threshold'],
    )
    for (const Threshold of [-1, 1e18, '5', null, 1e-21])
      t.equal((await ask('POST', path, { ...monthly, Threshold })).statusCode, 422, String(Threshold))
  })

  t.test(
    'usage that crosses a threshold gets 201 as usual, and the list shows when it was crossed',
    async (t) => {
      await ask('POST', path, { Meter: 'trips', Period: 'day', Threshold: 2 })
      for (const Usage of [1, 1, 1]) t.equal((await record({ Meter: 'trips', Usage })).statusCode, 201)
      await until(async () => (await listCrossed(sql, accountId)).length > 0)
      const [trips] = (await list()).filter(({ Meter }: { Meter: string }) => Meter === 'trips')
      t.ok(Math.abs(trips.LastCrossedAt - Date.now() / 1000) < 600)
    },
  )

  t.test('thresholds and usage of test mode are separate from those of live mode', async (t) => {
    const request = {
      accountId,
      partner: null,
      scopes: ['usage:read', 'usage:write'] as const,
      expiresInDays: null,
    }
    const testHeaders = { authorization: `Bearer ${await createTestKey(sql, request)}` }
    const listTest = async () => (await ask('GET', path, undefined, testHeaders)).json().data
    t.same(await listTest(), [])
    t.equal((await ask('POST', path, { ...monthly, Meter: 'tests' }, testHeaders)).statusCode, 201)
    t.equal((await listTest()).length, 1)
    await storeEntries(sql, [entry(accountId, 9001, { meter: 'tests', usage: '9' })])
    t.same((await listCrossed(sql, -accountId)).length, 0)
    await storeEntries(sql, [entry(-accountId, 9001, { meter: 'tests', usage: '9' })])
    t.same(await listCrossed(sql, -accountId), ['month 2026-11-01 2.5'])
    t.notOk((await list()).some(({ Meter }: { Meter: string }) => Meter === 'tests'))
  })
})

t.test('thresholds by commands', async (t) => {
  const { sql, cli } = await prepareCommands(t)
  const { accountId } = await makeCaller(sql)
  await storeEntries(sql, [entry(accountId, 1, { usage: '7.5' })])
  const thresholds = (...args: string[]) => cli('usage', 'thresholds', ...args, '--account', 'quay')

  t.match(await thresholds('list'), { code: 0, stdout: 'The account has no threshold.\n' })
  const made = await thresholds('set', 'calls', '--period', 'total', '--amount', '7.50')
  t.match(made, { code: 0, stdout: /^The threshold is set\.\nTHRESHOLD ID +METER/ })
  t.same(await listCrossed(sql, accountId), ['total ever 7.5'])
  t.match(await thresholds('set', 'calls', '--period', 'total', '--amount', '7.5'), {
    code: 1,
    stderr: 'error: The meter already has this threshold for this period.\n',
  })
  for (const [period, amount, option] of [
    ['year', '5', '--period'],
    ['day', '0', '--amount'],
    ['day', '1e3', '--amount'],
  ] as const) {
    const refused = await thresholds('set', 'calls', '--period', period, '--amount', amount)
    t.match(refused, { code: 2, stderr: new RegExp(option) })
  }
  const listed = JSON.parse((await thresholds('list', '--json')).stdout)
  t.match(listed, [{ Meter: 'calls', Period: 'total', Threshold: 7.5, LastCrossedAt: String }])
  t.match(await thresholds('remove', String(listed[0].ThresholdID)), {
    code: 0,
    stdout: 'The threshold is removed.\n',
  })
  t.match(await thresholds('remove', String(listed[0].ThresholdID)), {
    code: 1,
    stderr: 'error: No threshold of this account has this ThresholdID.\n',
  })
})
