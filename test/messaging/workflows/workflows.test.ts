/** Managing workflows in the operator’s interface: statuses and rules. */
import t from 'tap'
import { makeCaller } from '../../helper.ts'
import { buildQuay, makeBooking } from '../emails/fixtures.ts'

const reminder = {
  Name: 'Reminder',
  Trigger: 'before-start',
  OffsetMinutes: 1440,
  Subject: 'See you on {{ date }}',
  Body: 'Dear {{ customer.first_name }},\n{{ product.name }} begins at {{ time }}. https://quay.example/?a=1&b=2',
  Active: true,
}

t.test('201 makes a workflow, which is then read, listed, replaced and deleted', async (t) => {
  const { call, product } = await buildQuay(t)
  const made = await call('POST', '/workflows', { ...reminder, ProductID: product.id })
  t.equal(made.statusCode, 201)
  const { WorkflowID } = made.json().data
  t.match(made.json().data, { ...reminder, WorkflowID: Number, ProductID: product.id })
  t.same((await call('GET', `/workflows/${WorkflowID}`)).json(), made.json())
  t.same((await call('GET', '/workflows')).json().data, [made.json().data])
  const changed = await call('PUT', `/workflows/${WorkflowID}`, { ...reminder, Name: 'Later', Active: false })
  t.equal(changed.statusCode, 200)
  t.match(changed.json().data, { Name: 'Later', Active: false, ProductID: null })
  t.same((await call('DELETE', `/workflows/${WorkflowID}`)).json(), changed.json())
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PUT', '', reminder],
    ['DELETE', '', undefined],
    ['POST', '/preview', {}],
    ['POST', '/test', { To: 'a@example.com' }],
  ] as const) {
    const answer = await call(method, `/workflows/${WorkflowID}${path}`, body)
    t.equal(answer.statusCode, 404, `${method} ${path}`)
    t.match(answer.json().type, /not-found$/)
  }
})

t.test('an account cannot see or use the workflows, products and bookings of another account', async (t) => {
  const { app, sql, call, product, accountId } = await buildQuay(t)
  const { WorkflowID } = (await call('POST', '/workflows', reminder)).json().data
  const { reference } = await makeBooking(sql, accountId)
  const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  const ask = (method: 'GET' | 'POST', path: string, payload?: object) =>
    app.inject({
      method,
      url: `/api/v2/operator${path}`,
      headers: other.headers,
      ...(payload && { payload }),
    })
  t.equal((await ask('GET', `/workflows/${WorkflowID}`)).statusCode, 404)
  t.same((await ask('GET', '/workflows')).json().data, [])
  const foreign = await ask('POST', '/workflows', { ...reminder, ProductID: product.id })
  t.match(foreign.json(), { status: 422, errors: [{ field: 'ProductID' }] })
  const own = (await ask('POST', '/workflows', reminder)).json().data
  const preview = await ask('POST', `/workflows/${own.WorkflowID}/preview`, { BookingReference: reference })
  t.match(preview.json(), { status: 422, errors: [{ field: 'BookingReference' }] })
})

t.test('422 names the field and says what is wrong with a template', async (t) => {
  const { call } = await buildQuay(t)
  const faults: [object, string, RegExp][] = [
    [{ Subject: '{{ date' }, 'Subject', /not closed/],
    [{ Subject: '{% if booking.all_day %}Open{% endif %}' }, 'Subject', /must not be empty/],
    [{ Body: '{% if time %}' }, 'Body', /not closed/],
    [{ Body: '{{ date | shout }}' }, 'Body', /undefined filter: shout/],
    [{ Body: '{{ customer.password }}' }, 'Body', /undefined variable: customer\.password/],
    [{ Body: '{% if booking.all_day %}{{ booking.hours }}{% endif %}' }, 'Body', /variable: booking\.hours/],
    [{ Body: '{{ customer.constructor.name }}' }, 'Body', /undefined variable/],
    [{ Body: "{% include '/etc/passwd' %}" }, 'Body', /tag "include" not found/],
    [{ Body: '{% if time %}'.repeat(4000) + '{% endif %}'.repeat(4000) }, 'Body', /./],
    [{ OffsetMinutes: 0 }, 'OffsetMinutes', /at least 1/],
    [{ Trigger: 'full-moon' }, 'Trigger', /must be one of/],
    [{ ProductID: 999_999 }, 'ProductID', /not a product/],
    [{ Name: ' ' }, 'Name', /1 to 255/],
  ]
  for (const [change, field, message] of faults) {
    const answer = await call('POST', '/workflows', { ...reminder, ...change })
    t.match(answer.json(), { status: 422, errors: [{ field, message }] }, JSON.stringify(change).slice(0, 80))
  }
  const both = await call('POST', '/workflows', { ...reminder, Subject: '{{ x }}', Body: '{{ y }}' })
  t.match(both.json().errors, [{ field: 'Subject' }, { field: 'Body' }])
})

t.test('422 for a template that exceeds a limit', async (t) => {
  const { app, sql } = await buildQuay(t)
  for (const [index, Body] of [
    '{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}',
    '{% for i in (1..20000) %}many words of no use{% endfor %}',
    '{% capture x %}{% for i in (1..90000) %}waste{% endfor %}{% endcapture %}',
  ].entries()) {
    // Each template is sent by another account, because the time for templates is limited per account.
    const { headers } = await makeCaller(sql, { slug: `slow-${index}`, scopes: ['operator'] })
    const request = { method: 'POST', url: '/api/v2/operator/workflows', headers } as const
    const answer = await app.inject({ ...request, payload: { ...reminder, Body } })
    const errors = [{ field: 'Body', message: /too long|longer than|limit exceeded/ }]
    t.match(answer.json(), { status: 422, errors })
  }
})

t.test('409 workflow-name-taken for a second workflow with the same name, made or changed', async (t) => {
  const { call } = await buildQuay(t)
  await call('POST', '/workflows', reminder)
  const again = await call('POST', '/workflows', { ...reminder, Name: ' Reminder ' })
  t.match(again.json(), { status: 409, type: /workflow-name-taken$/ })
  const { WorkflowID } = (await call('POST', '/workflows', { ...reminder, Name: 'Other' })).json().data
  const renamed = await call('PUT', `/workflows/${WorkflowID}`, reminder)
  t.match(renamed.json(), { status: 409, type: /workflow-name-taken$/ })
})

t.test('an Idempotency-Key makes one workflow and one test e-mail, for any number of requests', async (t) => {
  const { call, sql } = await buildQuay(t)
  const key = { 'idempotency-key': 'once' }
  const made = await call('POST', '/workflows', reminder, key)
  const again = await call('POST', '/workflows', reminder, key)
  t.same(again.json(), made.json())
  t.equal(again.headers['idempotency-replayed'], 'true')
  const path = `/workflows/${made.json().data.WorkflowID}/test`
  for (const _ of [1, 2]) t.equal((await call('POST', path, { To: 'me@example.com' }, key)).statusCode, 201)
  t.equal((await sql`select from workflows`).length, 1)
  t.equal((await sql`select from emails`).length, 1)

  t.test('a response stored by the previous version is replayed with null in missing fields', async (t) => {
    await sql`update idempotency_keys set response = response - 'To' - 'WorkflowName' where operation = 'workflow.test'`
    const replayed = await call('POST', path, { To: 'me@example.com' }, key)
    t.equal(replayed.statusCode, 201)
    t.match(replayed.json().data, { Kind: 'test', To: null, WorkflowName: null })
  })
})

t.test('a preview renders with a sample, or with a booking; nothing is sent', async (t) => {
  const { call, sql, accountId } = await buildQuay(t)
  const { WorkflowID } = (await call('POST', '/workflows', reminder)).json().data
  const sample = await call('POST', `/workflows/${WorkflowID}/preview`)
  t.equal(sample.statusCode, 200)
  t.match(sample.json().data, {
    Subject: 'See you on Saturday 15 June 2030',
    Text: /^Dear Ada,\nSunset kayak tour/,
  })
  const { reference } = await makeBooking(sql, accountId, { firstName: '<b>Eve</b>' })
  const real = await call('POST', `/workflows/${WorkflowID}/preview`, { BookingReference: reference })
  t.equal(real.statusCode, 200, real.body)
  const { Text, HTML } = real.json().data
  t.match(Text, /^Dear <b>Eve<\/b>,\nKayak begins at 10:00/)
  t.match(HTML, 'Dear &lt;b&gt;Eve&lt;/b&gt;,<br>')
  t.match(HTML, '<a href="https://quay.example/?a=1&amp;b=2" style="')
  t.same(await sql`select from emails`, [])
})

t.test('the list is paged by Limit and Cursor', async (t) => {
  const { app, call, headers } = await buildQuay(t)
  for (const Name of ['one', 'two', 'three']) await call('POST', '/workflows', { ...reminder, Name })
  const first = await call('GET', '/workflows?Limit=2')
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))![1]!
  const second = await app.inject({ url: next.replace('http://booking.test', ''), headers })
  t.same(
    [...first.json().data, ...second.json().data].map(({ Name }) => Name),
    ['one', 'two', 'three'],
  )
  t.equal(second.headers.link, undefined)
  t.match((await call('GET', '/workflows?Cursor=nonsense')).json(), { errors: [{ field: 'Cursor' }] })
})

t.test('a key without the operator scope gets 403', async (t) => {
  const { app, sql } = await buildQuay(t)
  const { headers } = await makeCaller(sql, { scopes: ['ota'] })
  t.equal((await app.inject({ url: '/api/v2/operator/workflows', headers })).statusCode, 403)
})
