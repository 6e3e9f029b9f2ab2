/** Tills as people work with them: opened with a float, filled with cash, closed with a count. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { pumpEvents } from '../pump.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const list = '/dashboard/till'
const day = '2030-06-15'

async function makeTills(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 80 } })
  const [owner, ana] = [await signIn(), await signIn('staff', 'ana@quay.test')]
  type Person = typeof ana
  const basket = async (Participants = 1) => {
    const Lines = [{ ActivityID: activityId, Date: day, Time: '10:00', Participants }]
    return (await call('POST', '/baskets', { Channel: 'pos', Lines })).data.BasketID as number
  }
  /** Sells places at 45.00 each, paid with this method. */
  const sell = async (who: Person, Method = 'cash', Participants = 1) => {
    const id = await basket(Participants)
    const { statusCode, body } = await who.post(`/dashboard/sell/${id}/pay`, { Method })
    if (statusCode !== 303) throw new Error(textOf(body))
    return id
  }
  /** Opens a till; returns the response, and the path and id of the newest till. */
  const open = async (who: Person, Float = '100', Currency = 'EUR') => {
    const answer = await who.post(list, { Float, Currency })
    const [till] = (await call('GET', '/tills')).data
    return { answer, path: `${list}/${till?.TillID}`, id: till?.TillID as number }
  }
  const tills = async () => (await call('GET', '/tills')).data
  const show = async (who: Person, page = list) => textOf((await who.get(page)).body)
  return { ...dashboard, owner, ana, basket, sell, open, tills, show }
}

t.test('a till', async (t) => {
  t.test('is opened with a float, and shows the expected cash and the sales behind it', async (t) => {
    const { ana, open, sell, show, call } = await makeTills(t)
    const { answer, path, id } = await open(ana, '100,50')
    t.equal(answer.headers.location, '/dashboard/till?done=till-opened')
    await sell(ana)
    await sell(ana, 'card')
    await sell(ana, 'cash', 2)
    t.match(await show(ana), /Yours .* €100.50 €135.00 €0.00 €235.50 Count and close/)
    const text = await show(ana, path)
    t.match(text, /Expected €235.50/)
    t.match(text, /taken €90.00 \w{10} ana@quay.test .* taken €45.00/)
    t.notMatch(text, /Difference/)
    const movements = await call('GET', `/tills/${id}/movements?Limit=1`)
    t.match(movements.data, [{ Type: 'payment', Amount: '90.00', Bookings: 1, Actor: { Kind: 'user' } }])
    t.match(movements.headers.link, 'rel="next"')
  })

  t.test('is closed with a count; a later sale does not change its difference and note', async (t) => {
    const { ana, open, sell, show, tills, sql } = await makeTills(t)
    const { path, id } = await open(ana)
    await sell(ana)
    const closed = await ana.post(`${path}/close`, { Counted: '143', Note: ' Gave too much change ' })
    t.equal(closed.headers.location, `${path}?done=till-closed`)
    t.match(await show(ana, path), /Counted €143.00 Difference €2.00 too little .* Gave too much change/)
    t.match(await show(ana), /€145.00 €143.00 €2.00 too little Gave too much change/)
    const [before] = await tills()
    t.match(before, {
      TillID: id,
      Status: 'closed',
      Expected: { Amount: '145.00', Currency: 'EUR' },
      Difference: { Amount: '-2.00' },
      ClosedBy: { Email: 'ana@quay.test' },
    })
    const again = await ana.post(`${path}/close`, { Counted: '145' })
    t.equal(again.statusCode, 409)
    t.match(textOf(again.body), 'The till was already closed at')
    await sell(ana)
    t.same((await tills())[0], before, 'cash that is taken later is not in this till')
    await pumpEvents(sql)
    const events = await sql`select type, details from events where type like 'till.%' order by id`
    t.match(events, [
      { type: 'till.opened', details: { TillID: id, Float: { Amount: '100.00' } } },
      { type: 'till.closed', details: { TillID: id, Difference: { Amount: '-2.00', Currency: 'EUR' } } },
    ])
  })

  t.test('is compared with the count first; the page says that closing cannot be undone', async (t) => {
    const { ana, open, tills } = await makeTills(t)
    const { path } = await open(ana, '20')
    for (const [Counted, difference] of [
      ['18.50', '€1.50 too little'],
      ['20', 'Exact'],
    ] as const) {
      const compared = await ana.post(`${path}/compare`, { Counted })
      t.equal(compared.statusCode, 200)
      t.match(textOf(compared.body), difference)
      t.match(textOf(compared.body), 'cannot be opened again')
      t.equal(compared.body.includes('name="Note" rows="2" maxlength="1000" required'), Counted === '18.50')
    }
    t.match(await tills(), [{ Status: 'open', Counted: null }])
  })

  t.test('is not closed if its difference has changed since the page showed it', async (t) => {
    const { ana, open, sell, tills } = await makeTills(t)
    const { path } = await open(ana, '20')
    const shown = await ana.post(`${path}/compare`, { Counted: '18.50' })
    t.match(shown.body, 'name="Difference" value="-1.50"')
    await sell(ana)
    const closing = { Counted: '18.50', Note: 'Paid the ice' }
    const moved = await ana.post(`${path}/close`, { ...closing, Difference: '-1.50' })
    t.equal(moved.statusCode, 422)
    t.match(
      textOf(moved.body),
      /€46.50 too little .* Note is for another difference: cash was taken or paid back/,
    )
    t.match(await tills(), [{ Status: 'open' }])
    t.equal((await ana.post(`${path}/close`, { ...closing, Difference: '-46.50' })).statusCode, 303)
  })

  t.test(
    'is not closed without a note if the count differs, and the refusal names the difference',
    async (t) => {
      const { ana, open, tills } = await makeTills(t)
      const { path } = await open(ana, '20')
      const answer = await ana.post(`${path}/close`, { Counted: '18.50', Note: ' ' })
      t.equal(answer.statusCode, 422)
      t.match(textOf(answer.body), 'Note must say why the count is €1.50 too little; or count again')
      t.match((await tills())[0], { Status: 'open', Counted: null })
      t.equal((await ana.post(`${path}/close`, { Counted: '18.50', Note: 'Paid the ice' })).statusCode, 303)
    },
  )

  t.test(
    'does not count a refund that was undone in it; the undone refund of an earlier till is cash taken',
    async (t) => {
      const { ana, open, show, sql, accountId } = await makeTills(t)
      const { path, id } = await open(ana, '50')
      await sql`
      with due as (
        insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor)
        values (${accountId}, 1, 'overpaid', 3500, 0, 'EUR', 'due', 'user') returning id
      ), back as (
        insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, till_id, refund_id)
        select ${accountId}, 1, 'refund', 'cash', 3500, 'EUR', 'user', ${id}::bigint, id from due returning id
      )
      insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, till_id, undoes_id)
      select ${accountId}, 1, 'payment', 'cash', 3500, 'EUR', 'user', ${id}::bigint, id from back`
      t.match(await show(ana, path), /Cash taken €0.00 Cash paid back €0.00 Expected €50.00/)
      const later = await open(ana, '5', 'USD')
      await sql`update payments set till_id = ${later.id} where undoes_id is not null`
      t.match(
        await show(ana, later.path),
        /Cash taken \S*35.00 Cash paid back \S*0.00/,
        'an undone refund of an earlier till is cash taken',
      )
    },
  )

  t.test('shows whether the count is exact or too high', async (t) => {
    const { ana, open, show } = await makeTills(t)
    const { path } = await open(ana, '20')
    await ana.post(`${path}/close`, { Counted: '20.00' })
    t.match(await show(ana, path), 'Exact')
    const other = await open(ana, '20')
    await ana.post(`${other.path}/close`, { Counted: '21.5', Note: 'A tip' })
    t.match(await show(ana, other.path), '€1.50 too much')
  })

  t.test('is open at most once for each user and currency', async (t) => {
    const { ana, owner, open, tills } = await makeTills(t)
    await open(ana)
    const { answer } = await open(ana)
    t.equal(answer.statusCode, 409)
    t.match(textOf(answer.body), 'A till is already open in EUR: close it before you open another.')
    await open(ana, '5', 'USD')
    await open(owner)
    t.equal((await tills()).length, 3)
  })

  t.test('is not opened with an invalid amount, and not closed without a valid count', async (t) => {
    const { ana, open, tills } = await makeTills(t)
    for (const Float of ['', '-5', 'ten', '1.234']) {
      const { answer } = await open(ana, Float)
      t.equal(answer.statusCode, 422, Float)
      t.match(textOf(answer.body), 'Please correct this')
    }
    t.same(await tills(), [])
    const { path } = await open(ana)
    for (const Counted of ['', '1.234', 'ten'])
      for (const act of ['compare', 'close']) {
        const answer = await ana.post(`${path}/${act}`, { Counted, Note: 'Lost' })
        t.equal(answer.statusCode, 422)
        t.match(answer.body, new RegExp(`name="Counted" value="${Counted}"[^>]*aria-invalid="true"`))
      }
    const long = await ana.post(`${path}/close`, { Counted: '100', Note: 'a'.repeat(1001) })
    t.equal(long.statusCode, 422)
    t.match(textOf(long.body), 'Note must')
    t.match(await tills(), [{ Status: 'open' }])
  })

  t.test('a till of another user can be seen and closed only by owners', async (t) => {
    const { ana, owner, open, show, signIn } = await makeTills(t)
    const { path } = await open(ana)
    const rui = await signIn('staff', 'rui@quay.test')
    t.equal((await rui.get(path)).statusCode, 404)
    t.equal((await rui.post(`${path}/close`, { Counted: '0' })).statusCode, 404)
    t.notMatch(await show(rui), 'ana@quay.test')
    t.match(await show(owner), 'ana@quay.test')
    t.equal((await owner.post(`${path}/close`, { Counted: '100' })).statusCode, 303)
    t.match(await show(owner, path), /Counted by owner@quay.test/)
  })
})

t.test('cash can be taken without an open till, and is then listed by day for owners', async (t) => {
  const { ana, owner, sell, show, sql, call } = await makeTills(t)
  await sell(ana)
  await sell(ana, 'card')
  const [{ today }] = await sql<[{ today: string }]>`
    select ((app_now() at time zone time_zone)::date)::text as today from accounts where slug = 'quay'`
  t.match(await show(owner), /Cash outside tills .* €45.00 €0.00 1/)
  t.match(await show(owner, `${list}/outside?Day=${today}`), /taken €45.00 \w{10} ana@quay.test/)
  t.match(await show(owner, `${list}/outside?Day=2020-01-31`), 'No cash moved outside of tills that day.')
  t.match(await show(owner, `${list}/outside?Day=x`), '€45.00', 'an invalid day shows today')
  t.equal((await ana.get(`${list}/outside?Day=${today}`)).statusCode, 403)
  t.notMatch(await show(ana), 'Cash outside tills')
  t.same((await call('GET', '/tills')).data, [])
})

t.test('test mode has its own tills', async (t) => {
  const { owner, open, tills, show, sql } = await makeTills(t)
  await owner.post('/dashboard/test-mode')
  t.equal((await owner.post('/dashboard/test/till', { Float: '7', Currency: 'EUR' })).statusCode, 303)
  t.match(await show(owner, '/dashboard/test/till'), '€7.00')
  t.same(await tills(), [])
  await open(owner, '8')
  t.same(await sql`select account_id < 0 as test, float_minor as float from tills order by float_minor`, [
    { test: true, float: 700 },
    { test: false, float: 800 },
  ])
})

t.test('a refund in cash', async (t) => {
  /** Makes a cancelled sale, for which a refund of 90.00 is due. `done` is the address that marks it as paid. */
  const makeRefund = async (t: Test) => {
    const tills = await makeTills(t)
    const { call, basket, sql } = tills
    const id = await basket(2)
    const paid = await call('POST', `/baskets/${id}/pay`, { Method: 'card' })
    await call('POST', `/bookings/${paid.data.Lines[0].BookingReference}/cancel`)
    const [refund] = await sql<{ id: number }[]>`select id from refunds`
    return { ...tills, done: `/dashboard/refunds/${refund!.id}/done` }
  }
  const tooLittleCash =
    'Your till has €20.00 in cash; this refund takes €90.00. Pay the refund by another method, or close the till'

  t.test('a refund of more than is in the till is refused, and the page says so beforehand', async (t) => {
    const { ana, open, show, done } = await makeRefund(t)
    await open(ana, '20')
    t.match(await show(ana, done.replace(/\/done$/, '')), tooLittleCash)
    const refused = await ana.post(done, { Method: 'cash' })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), tooLittleCash)
    t.match(await show(ana), /€20\.00 €0\.00 €0\.00 €20\.00 Count and close/, 'nothing went out of it')
    t.equal((await ana.post(done, { Method: 'card' })).statusCode, 303)
  })

  t.test('is paid from a till with enough cash, and by a user without a till', async (t) => {
    const { ana, open, show, done } = await makeRefund(t)
    await open(ana, '90')
    t.notMatch(await show(ana, '/dashboard/refunds'), 'this refund takes')
    t.equal((await ana.post(done, { Method: 'cash' })).statusCode, 303)
    t.match(await show(ana), /€90\.00 €0\.00 €90\.00 €0\.00 Count and close/)
    const other = await makeRefund(t)
    t.equal((await other.ana.post(other.done, { Method: 'cash' })).statusCode, 303)
  })

  t.test('a till that paid back more cash than it contained can be closed with the difference', async (t) => {
    const { ana, open, show, sql, accountId } = await makeTills(t)
    const { path, id } = await open(ana, '20')
    await sql`
      with done as (
        insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor, done_at)
        values (${accountId}, 1, 'overpaid', 4500, 0, 'EUR', 'done', 'user', now()) returning id
      )
      insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, till_id, refund_id)
      select ${accountId}, 1, 'refund', 'cash', 4500, 'EUR', 'user', ${id}::bigint, id from done`
    const more = 'More cash was paid back from this till than it contained: €25.00 came from elsewhere.'
    t.match(
      await show(ana, path),
      `${more} Count the cash that is in it now. The count will be at least €25.00`,
    )
    t.equal((await ana.post(`${path}/close`, { Counted: '0', Note: 'From the safe' })).statusCode, 303)
    const closed = await show(ana, path)
    t.match(closed, 'Expected −€25.00 Counted €0.00 Difference €25.00 too much')
    t.match(closed, `${more} So the difference is at least €25.00 too much.`)
  })
})

t.test(
  'outside tills, a refund undone on the same day is in no total; otherwise each is in its day’s total',
  async (t) => {
    const { owner, show, sql, accountId } = await makeTills(t)
    await sql`
    with due as (
      insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor)
      values (${accountId}, 1, 'overpaid', 3500, 0, 'EUR', 'due', 'user') returning id
    ), back as (
      insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, refund_id)
      select ${accountId}, 1, 'refund', 'cash', 3500, 'EUR', 'user', id from due returning id
    )
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, undoes_id)
    select ${accountId}, 1, 'payment', 'cash', 3500, 'EUR', 'user', id from back`
    t.match(await show(owner), /Cash outside tills .* €0.00 €0.00 2/)
    await sql`update payments set made_at = made_at - interval '1 day' where kind = 'refund'`
    t.match(
      await show(owner),
      /Cash outside tills .* €35.00 €0.00 1 .* €0.00 €35.00 1/,
      'each on its own day',
    )
  },
)

t.test('cash outside tills is summed for 31 whole days in the account’s time zone', async (t) => {
  const { owner, show, sql, accountId } = await makeTills(t)
  const zone = 'Pacific/Kiritimati'
  await sql`update accounts set time_zone = ${zone} where account_id = ${accountId}`
  const pay = (days: number, time: string, amount: number) => sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, made_at)
    values (${accountId}, 1, 'payment', 'cash', ${amount}, 'EUR', 'user',
      ((now() at time zone ${zone})::date - ${days}::integer + ${time}::time) at time zone ${zone})`
  await pay(30, '00:00', 1000)
  await pay(30, '23:59', 200)
  await pay(31, '23:59', 5000)
  const text = await show(owner)
  t.match(text, /Cash outside tills .* €12.00 €0.00 2/)
  t.notMatch(text, '€50.00')
})

t.test('when two users sell at once, the cash of each is in their own till', async (t) => {
  const { ana, owner, open, sell, show } = await makeTills(t)
  const [first, second] = [await open(ana, '10'), await open(owner, '20')]
  await Promise.all([sell(ana), sell(owner), sell(ana), sell(owner, 'cash', 2)])
  t.match(await show(ana, first.path), /Cash taken €90.00 Cash paid back €0.00 Expected €100.00/)
  t.match(await show(owner, second.path), /Cash taken €135.00 Cash paid back €0.00 Expected €155.00/)
})

t.test('a till with impossibly large amounts of recorded cash is shown and closed', async (t) => {
  const { ana, owner, open, show, sql, accountId } = await makeTills(t)
  const { path, id } = await open(ana)
  for (const till of [id, null])
    await sql`
      insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, till_id)
      select ${accountId}, 1, 'payment', 'cash', 9223372036854775807, 'EUR', 'user', ${till}::bigint
      from generate_series(1, 2)`
  for (const page of [list, path]) t.equal((await ana.get(page)).statusCode, 200, page)
  t.match(await show(owner), 'Cash outside tills')
  t.equal((await ana.post(`${path}/close`, { Counted: '100', Note: 'Lost' })).statusCode, 303)
  t.match(await show(ana, path), 'too little')
})

t.test('a cash payment above the maximum of a till is refused', async (t) => {
  const { ana, call, basket, sql } = await makeTills(t)
  await sql`update products set price_minor = 1000000000001`
  const id = await basket()
  const refused = await ana.post(`/dashboard/sell/${id}/pay`, { Method: 'cash' })
  t.equal(refused.statusCode, 422)
  t.match(textOf(refused.body), 'must be at most 10000000000.00 EUR in cash')
  t.equal((await call('POST', `/baskets/${id}/pay`, { Method: 'card' })).data.Status, 'completed')
})
