/** The operator and partners manage webhook endpoints: one subtest for each rule. */
import t from 'tap'
import { createTestKey } from '../../../src/test-mode/service.ts'
import { makeCaller } from '../../helper.ts'
import { fieldsOf } from '../../operator.ts'
import { hook, openWebhookApi } from './api.ts'

t.test('making an endpoint', async (t) => {
  const { call, sql, partnerId } = await openWebhookApi(t)

  t.test(
    '201 with an endpoint of the account and its secret, which is in no list and cannot be read',
    async (t) => {
      const made = await call('operator', 'POST', '', hook)
      t.equal(made.status, 201)
      t.match(made.data, {
        ...{ EndpointID: Number, ...hook, Description: '', Body: 'thin', Email: null, Partner: null },
        ...{ Status: 'active', PauseReason: null, PausedAt: null, Unfinished: 0, SetAside: 0 },
        ...{ FailingSince: null, LastDeliveredAt: null, Secrets: [{ SecretID: Number }] },
        Secret: /^whsec_[\w+/]{43}=$/,
      })
      const { Secret, ...shown } = made.data
      const read = await call('operator', 'GET', `/${shown.EndpointID}`)
      t.same(read.data, shown)
      t.notMatch(JSON.stringify((await call('operator', 'GET', '')).data), 'whsec_')
    },
  )

  t.test('a new endpoint begins at the end of the log', async (t) => {
    const { data } = await call('operator', 'POST', '', hook)
    t.equal(data.Position, data.LogEnd)
  })

  t.test('a partner’s key makes an endpoint of that partner; the response names no partner', async (t) => {
    const made = await call('Borealis', 'POST', '', { ...hook, Body: 'full', Email: 'tech@borealis.example' })
    t.equal(made.status, 201)
    t.match(made.data, { Body: 'full', Email: 'tech@borealis.example', Secret: /^whsec_/ })
    t.notOk('Partner' in made.data)
    const read = await call('operator', 'GET', `/${made.data.EndpointID}`)
    t.same(read.data.Partner, { ID: partnerId('Borealis'), Name: 'Borealis' })
  })

  t.test(
    'an endpoint made with a key without a partner has the partner ID 0 and no name; partners get 404 for it',
    async (t) => {
      const { data } = await call('nobody', 'POST', '', hook)
      t.same((await call('operator', 'GET', `/${data.EndpointID}`)).data.Partner, { ID: 0, Name: null })
      t.equal((await call('Atlas', 'GET', `/${data.EndpointID}`)).status, 404)
    },
  )

  t.test('the operator makes an endpoint for a partner, who can then read it', async (t) => {
    const made = await call('operator', 'POST', '', { ...hook, PartnerID: partnerId('Atlas') })
    t.same(made.data.Partner, { ID: partnerId('Atlas'), Name: 'Atlas' })
    t.equal((await call('Atlas', 'GET', `/${made.data.EndpointID}`)).status, 200)
  })

  t.test('422 refuses a partner that the account does not have', async (t) => {
    const refused = await call('operator', 'POST', '', { ...hook, PartnerID: 999_999 })
    t.equal(refused.status, 422)
    t.same(fieldsOf(refused), ['PartnerID'])
  })

  t.test('422 names every failing field', async (t) => {
    const refused = await call('operator', 'POST', '', {
      URL: '',
      EventTypes: [],
      Description: 'two\nlines',
      Body: 'octo',
      Email: 'nobody',
    })
    t.equal(refused.status, 422)
    t.same(fieldsOf(refused).sort(), ['Body', 'Description', 'Email', 'EventTypes', 'URL'])
  })

  t.test('422 refuses a URL that must not be called', async (t) => {
    for (const URL of [
      'ftp://receiver.example',
      'https://name:word@receiver.example/',
      'http://10.0.0.1/',
      `https://receiver.example/${'a'.repeat(2000)}`,
      'receiver.example',
    ])
      t.same(fieldsOf(await call('operator', 'POST', '', { ...hook, URL })), ['URL'], URL)
  })

  t.test('422 names each type of event that does not exist, or is not for partners', async (t) => {
    const types = ['booking.confirmed', 'booking.eaten', 'email.sent']
    const account = await call('operator', 'POST', '', { ...hook, EventTypes: types })
    t.same(fieldsOf(account).slice(0, 1), ['EventTypes[1]'])
    const partner = await call('Atlas', 'POST', '', { ...hook, EventTypes: ['waitlist.*', 'booking.*'] })
    t.same(fieldsOf(partner), ['EventTypes[0]'])
  })

  t.test('422 refuses a repeated type of event, and more than 50', async (t) => {
    for (const EventTypes of [['booking.*', 'booking.*'], Array.from({ length: 51 }, (_, n) => `a.${n}`)])
      t.match(fieldsOf(await call('operator', 'POST', '', { ...hook, EventTypes })), [/^EventTypes/])
  })

  t.test('the same idempotency key makes one endpoint, and returns its secret again', async (t) => {
    const before = (await call('operator', 'GET', '')).data.length
    const key = { 'idempotency-key': 'hook-1' }
    const first = await call('operator', 'POST', '', hook, key)
    const second = await call('operator', 'POST', '', hook, key)
    t.same(second.data, first.data)
    t.equal(second.headers['idempotency-replayed'], 'true')
    t.equal((await call('operator', 'GET', '')).data.length, before + 1)
  })

  t.test('no secret is in the database in plain text, nor in a stored response', async (t) => {
    const { data } = await call('operator', 'POST', '', hook, { 'idempotency-key': 'hook-2' })
    const kept = await sql`select response::text from idempotency_keys where key = 'hook-2'`
    t.match(kept[0]!.response, 'EndpointID')
    t.notMatch(kept[0]!.response, 'whsec_')
    const [sealed] = await sql`
      select encode(sealed, 'escape') as text from webhook_secrets where endpoint_id = ${data.EndpointID}`
    t.notMatch(sealed!.text, 'whsec_')
  })

  t.test('a replayed response leaves out a secret that was deleted meanwhile', async (t) => {
    const key = { 'idempotency-key': 'hook-3' }
    const { data } = await call('operator', 'POST', '', hook, key)
    await call('operator', 'POST', `/${data.EndpointID}/secrets`)
    await call('operator', 'DELETE', `/${data.EndpointID}/secrets/${data.Secrets[0].SecretID}`)
    t.match(await call('operator', 'POST', '', hook, key), { status: 201, data: { Secret: null } })
  })
})

t.test('409 account-limit-reached refuses a partner’s sixth endpoint, and the operator’s 21st', async (t) => {
  const { call } = await openWebhookApi(t)
  for (const [who, most] of [
    ['Atlas', 5],
    ['operator', 20],
  ] as const) {
    for (let made = 0; made < most; made++) t.equal((await call(who, 'POST', '', hook)).status, 201)
    const refused = await call(who, 'POST', '', hook)
    t.match(refused.problem, { status: 409, type: /account-limit-reached$/, Limit: most })
  }
})

t.test('503 refuses to make an endpoint while SECRET_KEY is not set', async (t) => {
  const { call } = await openWebhookApi(t, { environment: { SECRET_KEY: '' } })
  t.equal((await call('operator', 'POST', '', hook)).status, 503)
  t.same((await call('operator', 'GET', '')).data, [])
})

t.test('a partner cannot see or use an endpoint of another partner or of the account', async (t) => {
  const { call } = await openWebhookApi(t)
  const atlas = (await call('Atlas', 'POST', '', hook)).data
  const account = (await call('operator', 'POST', '', hook)).data
  t.same((await call('Borealis', 'GET', '')).data, [])
  for (const { EndpointID, Secrets } of [atlas, account]) {
    const path = `/${EndpointID}`
    const answers = [
      await call('Borealis', 'GET', path),
      await call('Borealis', 'PATCH', path, { Description: 'mine' }),
      await call('Borealis', 'DELETE', path),
      await call('Borealis', 'POST', `${path}/pause`),
      await call('Borealis', 'POST', `${path}/resume`),
      await call('Borealis', 'POST', `${path}/secrets`),
      await call('Borealis', 'DELETE', `${path}/secrets/${Secrets[0].SecretID}`),
      await call('Borealis', 'POST', `${path}/test`),
      await call('Borealis', 'POST', `${path}/replay`, { FromNumber: 1 }),
      await call('Borealis', 'GET', `${path}/deliveries`),
      await call('Borealis', 'POST', `${path}/deliveries/1/redeliver`),
    ]
    t.same(new Set(answers.map(({ status }) => status)), new Set([404]))
  }
  const listed = (await call('operator', 'GET', '')).data as { EndpointID: number }[]
  t.same(
    listed.map(({ EndpointID }) => EndpointID),
    [atlas.EndpointID, account.EndpointID],
  )
})

t.test('changing an endpoint', async (t) => {
  const { call, sql } = await openWebhookApi(t)
  const { EndpointID: id } = (await call('Atlas', 'POST', '', hook)).data

  t.test('changes the given fields, and leaves the others', async (t) => {
    const changed = await call('Atlas', 'PATCH', `/${id}`, {
      Description: ' Shop ',
      Email: 'a@atlas.example',
    })
    t.match(changed, {
      status: 200,
      data: { ...hook, Description: 'Shop', Email: 'a@atlas.example', Body: 'thin' },
    })
    const again = await call('Atlas', 'PATCH', `/${id}`, { Unset: ['Email'], Body: 'full' })
    t.match(again.data, { Description: 'Shop', Email: null, Body: 'full' })
  })

  t.test('422 for the same errors as when one is made', async (t) => {
    t.same(fieldsOf(await call('Atlas', 'PATCH', `/${id}`, { URL: 'gopher://x' })), ['URL'])
    t.same(fieldsOf(await call('Atlas', 'PATCH', `/${id}`, { EventTypes: ['email.*'] })), ['EventTypes[0]'])
    t.equal((await call('Atlas', 'PATCH', `/${id}`, {})).status, 422)
  })

  t.test('the operator cannot give a partner’s endpoint a type that is not for partners', async (t) => {
    const refused = await call('operator', 'PATCH', `/${id}`, { EventTypes: ['email.*'] })
    t.same(fieldsOf(refused), ['EventTypes[0]'])
  })

  t.test('the body of an endpoint made through OCTO cannot be changed', async (t) => {
    await sql`update webhook_endpoints set body = 'octo' where id = ${id}`
    t.same(fieldsOf(await call('Atlas', 'PATCH', `/${id}`, { Body: 'thin' })), ['Body'])
    t.match((await call('Atlas', 'PATCH', `/${id}`, { Description: 'OCTO' })).data, { Body: 'octo' })
  })
})

t.test('an endpoint is paused by hand and resumed, and repeating either request succeeds', async (t) => {
  const { call } = await openWebhookApi(t)
  const { EndpointID: id } = (await call('Atlas', 'POST', '', hook)).data
  for (let time = 0; time < 2; time++) {
    const paused = await call('Atlas', 'POST', `/${id}/pause`)
    t.match(paused, { status: 200, data: { Status: 'paused', PauseReason: 'by-hand', PausedAt: String } })
  }
  for (let time = 0; time < 2; time++) {
    const resumed = await call('Atlas', 'POST', `/${id}/resume`)
    t.match(resumed, { status: 200, data: { Status: 'active', PauseReason: null, PausedAt: null } })
  }
})

t.test('deleting an endpoint returns it, and then it does not exist', async (t) => {
  const { call } = await openWebhookApi(t)
  const { EndpointID: id } = (await call('Atlas', 'POST', '', hook)).data
  t.match(await call('Atlas', 'DELETE', `/${id}`), { status: 200, data: { EndpointID: id, URL: hook.URL } })
  t.equal((await call('Atlas', 'DELETE', `/${id}`)).status, 404)
  t.same((await call('operator', 'GET', '')).data, [])
})

t.test('secrets', async (t) => {
  const { call } = await openWebhookApi(t)
  const { EndpointID: id, Secrets, Secret: first } = (await call('Atlas', 'POST', '', hook)).data
  const [{ SecretID: firstId }] = Secrets

  t.test('409 webhook-secret-last refuses to delete the only one', async (t) => {
    const refused = await call('Atlas', 'DELETE', `/${id}/secrets/${firstId}`)
    t.match(refused.problem, { status: 409, type: /webhook-secret-last$/ })
  })

  t.test('a second is made and shown; a retry with the same idempotency key shows it again', async (t) => {
    const key = { 'idempotency-key': 'secret-1' }
    const made = await call('Atlas', 'POST', `/${id}/secrets`, undefined, key)
    t.match(made, { status: 201, data: { SecretID: Number, CreatedAt: String, Secret: /^whsec_/ } })
    t.not(made.data.Secret, first)
    t.same((await call('Atlas', 'POST', `/${id}/secrets`, undefined, key)).data, made.data)
    t.equal((await call('Atlas', 'GET', `/${id}`)).data.Secrets.length, 2)
  })

  t.test('409 webhook-secrets-full refuses a third', async (t) => {
    const refused = await call('Atlas', 'POST', `/${id}/secrets`)
    t.match(refused.problem, { status: 409, type: /webhook-secrets-full$/ })
  })

  t.test('one of two is deleted; deleting it again gets 404', async (t) => {
    const deleted = await call('Atlas', 'DELETE', `/${id}/secrets/${firstId}`)
    t.equal(deleted.status, 200)
    t.equal(deleted.data.Secrets.length, 1)
    t.equal((await call('Atlas', 'DELETE', `/${id}/secrets/${firstId}`)).status, 404)
  })
})

t.test(
  'a test key lists only endpoints of the test account, and a live key only those of the live account',
  async (t) => {
    const { app, sql, call, accountId } = await openWebhookApi(t)
    const token = await createTestKey(sql, {
      accountId,
      partner: 'Atlas',
      scopes: ['ota', 'operator'],
      expiresInDays: null,
    })
    const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await app.inject({ method, url, headers, ...(payload && { payload }) })).json().data
    }
    const live = (await call('Atlas', 'POST', '', hook)).data
    const test = await ask('POST', '/api/v2/ota/webhooks', hook)
    t.same(
      (await ask('GET', '/api/v2/operator/webhooks')).map((one: typeof live) => one.EndpointID),
      [test.EndpointID],
    )
    t.same(
      (await call('operator', 'GET', '')).data.map((one: typeof live) => one.EndpointID),
      [live.EndpointID],
    )
  },
)

t.test('another account’s operator cannot list or read an endpoint', async (t) => {
  const { app, sql, call } = await openWebhookApi(t)
  const { EndpointID: id } = (await call('operator', 'POST', '', hook)).data
  const { headers } = await makeCaller(sql, { slug: 'pier', scopes: ['operator'] })
  const list = await app.inject({ url: '/api/v2/operator/webhooks', headers })
  t.same(list.json().data, [])
  t.equal((await app.inject({ url: `/api/v2/operator/webhooks/${id}`, headers })).statusCode, 404)
})
