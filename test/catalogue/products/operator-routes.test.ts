/** The operator's products: made, listed, changed, and shown to partners or not. */
import t from 'tap'
import { clockAt } from '../../clock.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'

const kayak = {
  Name: 'Kayak tour',
  Description: 'Along the cliffs.',
  DurationMinutes: 120,
  Price: { Amount: '45.00', Currency: 'EUR' },
  TimeZone: 'Europe/Lisbon',
}

t.test('making a product', async (t) => {
  t.test('201 with the product, by default out of the shopfront', async (t) => {
    const { call } = await makeOperator(t)
    const made = await call('POST', '/products', kayak)
    t.equal(made.status, 201)
    t.match(made.data, { ...kayak, ActivityID: /^s_/, InShopfront: false, CancelCutoffMinutes: 0 })
    t.same((await call('GET', `/products/${made.data.ID}`)).data, made.data)
  })

  t.test('422 names every failing field, and nothing is made', async (t) => {
    const { call, sql } = await makeOperator(t)
    const answer = await call('POST', '/products', {
      ...kayak,
      Name: '  ',
      Price: { Amount: '4.555', Currency: 'EUR' },
      TimeZone: 'Mars/Olympus',
    })
    t.equal(answer.status, 422)
    t.same(fieldsOf(answer), ['Name', 'Price.Amount', 'TimeZone'])
    const shape = await call('POST', '/products', {
      ...kayak,
      DurationMinutes: '90',
      CancelCutoffMinutes: -1,
    })
    t.same(fieldsOf(shape).sort(), ['CancelCutoffMinutes', 'DurationMinutes'])
    t.same(await sql`select from products`, [])
  })

  t.test('422 for the name of another product, in upper or lower case', async (t) => {
    const { call } = await makeOperator(t)
    await call('POST', '/products', kayak)
    const answer = await call('POST', '/products', { ...kayak, Name: 'KAYAK TOUR' })
    t.equal(answer.status, 422)
    t.same(fieldsOf(answer), ['Name'])
  })

  t.test('of several concurrent requests with the same name, one makes a product', async (t) => {
    const { call } = await makeOperator(t)
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', '/products', kayak)))
    t.same(answers.map(({ status }) => status).sort(), [201, 422, 422, 422])
  })

  t.test('the same Idempotency-Key returns the first product again', async (t) => {
    const { call, sql } = await makeOperator(t)
    const key = { 'idempotency-key': 'k' }
    const first = await call('POST', '/products', kayak, key)
    const again = await call('POST', '/products', kayak, key)
    t.same(again.data, first.data)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.equal((await call('POST', '/products', { ...kayak, Name: 'Surf' }, key)).status, 422)
    t.equal((await sql`select from products`).length, 1)
  })

  t.test('403 for a key without the operator scope', async (t) => {
    const { call, partner } = await makeOperator(t)
    t.equal((await call('POST', '/products', kayak, partner.headers)).status, 403)
  })
})

t.test('listing products', async (t) => {
  t.test('pages by ID through all products, in the shopfront or not', async (t) => {
    const { call, sql, accountId, app, headers } = await makeOperator(t)
    for (const [index, name] of ['A', 'B', 'C', 'D', 'E'].entries())
      await makeProduct(sql, accountId, { name, inShopfront: index % 2 === 0 })
    const seen: string[] = []
    let url: string | undefined = '/api/v2/operator/products?Limit=2'
    while (url) {
      const answer: Awaited<ReturnType<typeof app.inject>> = await app.inject({ url, headers })
      seen.push(...answer.json().data.map(({ Name }: { Name: string }) => Name))
      url = /<http:\/\/booking.test([^>]+)>/.exec(String(answer.headers.link))?.[1]
    }
    t.same(seen, ['A', 'B', 'C', 'D', 'E'])
    const names = async (query: string) =>
      (await call('GET', `/products?${query}`)).data.map(({ Name }: { Name: string }) => Name)
    t.same(await names('InShopfront=false'), ['B', 'D'])
    t.same(await names('InShopfront=true&Name=c'), ['C'])
  })

  t.test('422 for an invalid cursor', async (t) => {
    const { call } = await makeOperator(t)
    for (const cursor of [
      'x',
      Buffer.from('["a"]').toString('base64url'),
      Buffer.from('[1.5]').toString('base64url'),
    ])
      t.same(fieldsOf(await call('GET', `/products?Cursor=${cursor}`)), ['Cursor'])
  })
})

t.test('changing a product', async (t) => {
  t.test(
    'fields that are left out stay as they are, and UpdatedAt changes only with the product',
    async (t) => {
      const { call, sql } = await makeOperator(t)
      const { ID } = (await call('POST', '/products', kayak)).data
      await sql`update products set updated_at = updated_at - interval '1 minute'`
      const { data: made } = await call('GET', `/products/${ID}`)
      const { data: same } = await call('PATCH', `/products/${made.ID}`, { Name: kayak.Name, Price: null })
      t.same(same, made)
      const { data: changed } = await call('PATCH', `/products/${made.ID}`, { CancelCutoffMinutes: 1440 })
      t.same({ ...changed, UpdatedAt: made.UpdatedAt }, { ...made, CancelCutoffMinutes: 1440 })
      t.not(changed.UpdatedAt, made.UpdatedAt)
    },
  )

  t.test(
    'partners can book a product as soon as it is in the shopfront, and no longer see it when it has left',
    async (t) => {
      const { call, app, partner, book, sql, accountId } = await makeOperator(t)
      const { id, activityId } = await makeProduct(sql, accountId, {
        inShopfront: false,
        slots: { '2030-06-15 10:00': 8 },
      })
      const listed = async () => {
        const answer = await app.inject({ url: '/api/v2/ota/marketplace/products', headers: partner.headers })
        return answer.json().data
      }
      t.same(await listed(), [])
      t.equal((await book(activityId)).status, 422)
      await call('PATCH', `/products/${id}`, { InShopfront: true })
      const [shown] = await listed()
      t.notOk(
        'InShopfront' in shown || 'CancelCutoffMinutes' in shown,
        'partners do not get the fields for operators',
      )
      t.equal((await book(activityId)).status, 201)
      await call('PATCH', `/products/${id}`, { InShopfront: false })
      t.same(await listed(), [])
      const resolved = await app.inject({
        url: `/api/v2/ota/marketplace/resolve-product?ID=${id}`,
        headers: partner.headers,
      })
      t.equal(resolved.statusCode, 404)
    },
  )

  t.test('422 for another product’s name, but not for its own name in upper case', async (t) => {
    const { call } = await makeOperator(t)
    await call('POST', '/products', { ...kayak, Name: 'Surf' })
    const { data } = await call('POST', '/products', kayak)
    t.same(fieldsOf(await call('PATCH', `/products/${data.ID}`, { Name: 'surf' })), ['Name'])
    t.equal((await call('PATCH', `/products/${data.ID}`, { Name: 'KAYAK TOUR' })).data.Name, 'KAYAK TOUR')
  })

  t.test('timeslots keep their local times when the product moves to another time zone', async (t) => {
    const { call, sql, accountId } = await makeOperator(t)
    const { id } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
    await call('PATCH', `/products/${id}`, { TimeZone: 'america/new_york' })
    const [slot] = await sql`select date, time, starts_at as "startsAt" from timeslots`
    t.same(slot, { date: '2030-06-15', time: '10:00', startsAt: new Date('2030-06-15T14:00Z') })
    t.equal((await call('GET', `/products/${id}`)).data.TimeZone, 'America/New_York')
  })

  t.test('422 for a time zone whose clocks skip the time of a timeslot', async (t) => {
    const { call, sql, accountId } = await makeOperator(t)
    const { id } = await makeProduct(sql, accountId, { slots: { '2030-03-10 02:30': 8 } })
    const answer = await call('PATCH', `/products/${id}`, { TimeZone: 'America/New_York' })
    t.equal(answer.status, 422)
    t.match(answer.problem.errors, [{ field: 'TimeZone', message: /2030-03-10 at 02:30/ }])
    t.equal((await call('GET', `/products/${id}`)).data.TimeZone, 'Europe/Lisbon')
  })

  t.test(
    'a new time zone gives a schedule the timeslot whose time the clocks of the old time zone skipped',
    async (t) => {
      const { call, sql, accountId } = await makeOperator(t, {
        ...clockAt('2027-03-20T12:00Z'),
        environment: { SCHEDULE_HORIZON_DAYS: '20' },
      })
      const { id } = await makeProduct(sql, accountId)
      await call('POST', `/products/${id}/schedules`, {
        From: '2027-03-28',
        To: '2027-03-28',
        Weekdays: ['Sun'],
        Times: ['01:30'],
        Capacity: 8,
      })
      t.same(await sql`select from timeslots`, [], 'clocks in Lisbon go from 01:00 to 02:00')
      await call('PATCH', `/products/${id}`, { TimeZone: 'America/New_York' })
      t.same(await sql`select date, time from timeslots`, [{ date: '2027-03-28', time: '01:30' }])
    },
  )

  t.test('404 for an unknown product and for one of another account', async (t) => {
    const { call, sql } = await makeOperator(t)
    const other = await makeCaller(sql, { slug: 'other' })
    const { id } = await makeProduct(sql, other.accountId)
    for (const path of [`/products/${id}`, '/products/999999999', `/products/${id}/questions`]) {
      t.equal((await call('GET', path)).status, 404)
    }
    t.equal((await call('PATCH', `/products/${id}`, { Name: 'Mine' })).status, 404)
    t.equal((await call('PUT', `/products/${id}/questions`, { Questions: [] })).status, 404)
    t.equal((await call('GET', '/products/x')).status, 400)
  })
})

t.test('the questions of a product', async (t) => {
  const swim = {
    Label: 'Can you swim?',
    Type: 'select',
    Required: true,
    Options: ['Yes'],
    AppliesTo: 'participant',
  }
  const size = { Label: 'Wetsuit size', Type: 'text', Required: false, AppliesTo: 'participant' }

  t.test(
    'the list of questions is replaced; a question with a known ID stays the same question',
    async (t) => {
      const { call, app, partner, sql, accountId } = await makeOperator(t)
      const { id, activityId } = await makeProduct(sql, accountId)
      const path = `/products/${id}/questions`
      const first = await call('PUT', path, { Questions: [swim, size] })
      t.equal(first.status, 200)
      const [kept, dropped] = first.data
      t.match(kept, swim)
      t.match(dropped, { ...size, Options: [] })
      const changed = { ...kept, Label: 'Do you swim?' }
      const second = await call('PUT', path, { Questions: [{ ...size, Label: 'Shoe size' }, changed] })
      t.equal(second.data.length, 2)
      t.same(second.data[1], changed)
      t.not(second.data[0].ID, dropped.ID)
      t.same((await call('GET', path)).data, second.data)
      const shown = await app.inject({
        url: `/api/v2/ota/marketplace/questions/${activityId}`,
        headers: partner.headers,
      })
      t.same(shown.json().data, second.data, 'partners see the same list')
      t.same((await call('PUT', path, { Questions: [] })).data, [])
    },
  )

  t.test(
    '422 for a question ID of another product or given twice, no options, and a blank label',
    async (t) => {
      const { call, sql, accountId } = await makeOperator(t)
      const { id } = await makeProduct(sql, accountId)
      const { id: other } = await makeProduct(sql, accountId, { name: 'Surf' })
      const { data: theirs } = await call('PUT', `/products/${other}/questions`, { Questions: [swim] })
      const { data: ours } = await call('PUT', `/products/${id}/questions`, { Questions: [swim] })
      const answer = await call('PUT', `/products/${id}/questions`, {
        Questions: [theirs[0], ours[0], ours[0], { ...swim, Options: [] }, { ...size, Label: ' ' }],
      })
      t.equal(answer.status, 422)
      t.same(fieldsOf(answer), [
        'Questions[0].ID',
        'Questions[2].ID',
        'Questions[3].Options',
        'Questions[4].Label',
      ])
      t.same((await call('GET', `/products/${id}/questions`)).data, ours)
    },
  )

  t.test('a booking keeps its answers to a deleted question', async (t) => {
    const { call, book, sql, accountId } = await makeOperator(t)
    const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
    const { data } = await call('PUT', `/products/${id}/questions`, { Questions: [swim] })
    const Answers = [{ QuestionID: data[0].ID, Value: 'Yes' }]
    t.equal((await book(activityId, { Answers })).status, 201)
    t.equal((await call('PUT', `/products/${id}/questions`, { Questions: [] })).status, 200)
    t.same(await sql`select answers from bookings`, [{ answers: Answers }])
  })
})
