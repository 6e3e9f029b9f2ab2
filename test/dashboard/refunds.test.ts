/** Refunds in the dashboard: the amounts that forms offer, the page of the booking, and the page of refunds. */
import t, { type Test } from 'tap'
import { settleOldRefunds } from '../../src/sales/ledger/settling-old.ts'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'

/** `sell` sells two places for 90.00, by default paid by card. The refund terms of the product pay half back. */
async function makeDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const product = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 40 } })
  const RefundTerms = [{ Percent: '50', HoursBefore: 0 }]
  await call('PUT', `/products/${product.id}/refund-terms`, { RefundTerms })
  const user = await signIn('staff')
  const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
  const line = { ActivityID: product.activityId, Date: day, Time: '10:00', Participants: 2 }
  const sell = async (Payment: object = { Method: 'card' }) => {
    const { data } = await call('POST', '/bookings', { ...line, Customer: customer, Payment })
    return { path: `/dashboard/bookings/${data.BookingReference}`, id: data.BasketID as number }
  }
  const textAt = async (url: string) => textOf((await user.get(url)).body)
  return { ...dashboard, ...user, sell, textAt }
}

t.test('the form that cancels a booking', async (t) => {
  const { sell, post, textAt, sql, accountId } = await makeDesk(t)

  t.test(
    'shows what was paid, and offers the refund by the terms, all of it, nothing, or an amount',
    async (t) => {
      const { path } = await sell()
      const text = await textAt(`${path}/cancel`)
      t.match(text, 'Paid: €90.00')
      for (const words of ['By the terms: €45.00', 'All: €90.00', 'None', 'Part']) t.match(text, words)
      const answer = await post(`${path}/cancel`, { 'Refund.Choice': 'amount', 'Refund.Amount': '12,50' })
      t.equal(answer.headers.location, `${path}?done=cancelled-refund`)
      const cancelled = await textAt(String(answer.headers.location))
      t.match(cancelled, 'The page Refunds lists the amount to pay back.')
      t.match(cancelled, /Refunds of the sale .* Cancelled €12\.50 €77\.50 due/)
    },
  )

  t.test('pays back what the terms say unless something else is chosen', async (t) => {
    for (const [fields, amount] of [
      [{}, 4500],
      [{ 'Refund.Choice': 'terms', 'Refund.Amount': ' ' }, 4500],
      [{ 'Refund.Choice': 'full' }, 9000],
      [{ 'Refund.Choice': 'none' }, 0],
    ] as const) {
      const { path } = await sell()
      t.equal((await post(`${path}/cancel`, { ...fields })).statusCode, 303)
      t.match(await sql`select amount_minor from refunds order by id desc limit 1`, [
        { amount_minor: amount },
      ])
    }
  })

  t.test('is shown again with the error of an invalid amount', async (t) => {
    const { path } = await sell()
    for (const [amount, message] of [
      ['90.01', 'must be at most 90.00'],
      ['', 'Part'],
    ] as const) {
      const refused = await post(`${path}/cancel`, { 'Refund.Choice': 'amount', 'Refund.Amount': amount })
      t.equal(refused.statusCode, 422)
      t.match(textOf(refused.body), message)
      t.match(refused.body, 'href="#field-Refund-Amount"')
      t.match(refused.body, 'id="field-Refund-Amount"')
    }
  })

  t.test('is refused with an amount beside another choice, because one of them is a mistake', async (t) => {
    const { path } = await sell()
    for (const Show of [{}, { Show: 'email' }] as Record<string, string>[]) {
      const sent = { 'Refund.Choice': 'terms', 'Refund.Amount': '7', ...Show }
      const refused = await post(`${path}/cancel`, sent)
      t.equal(refused.statusCode, 422)
      t.match(textOf(refused.body), 'Part is filled in, but another refund is selected')
      t.match(refused.body, 'name="Refund.Amount" value="7"', 'what was typed stays')
    }
    t.match(await textAt(path), 'Confirmed')
  })

  t.test('shows refunds that the provider made before the decision', async (t) => {
    const { path, id } = await sell()
    const hint = 'Your payment provider has already paid back'
    t.notMatch(await textAt(`${path}/cancel`), hint)
    await sql`
      insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, outcome,
        basket_status)
      select account_id, 're_' || place, '', ${id}, 'refunded', amount, currency, 'ignored', 'completed'
      from accounts, unnest(array['40.00', '20', '7'], array['EUR', 'EUR', 'USD']) with ordinality
        as told (amount, currency, place) where account_id = ${accountId}`
    t.match(await textAt(`${path}/cancel`), `${hint} €40.00 and €20.00 of this sale.`)
    const less = await post(`${path}/cancel`, { 'Refund.Choice': 'amount', 'Refund.Amount': '40' })
    t.match(textOf(less.body), 'must be at least 60.00 EUR, which the payment provider has paid back already')
    await post(`${path}/cancel`, { 'Refund.Choice': 'none' })
    t.match(await textAt(path), /Cancelled €20\.00 €30\.00 paid back/)
    t.match(await textAt(path), /Cancelled €40\.00 €0\.00 paid back/)
  })

  t.test('offers no refund where nothing was paid', async (t) => {
    const { path } = await sell({ Method: 'cash', Amount: '0.00' })
    t.notMatch(await textAt(`${path}/cancel`), 'By the terms')
    t.equal((await post(`${path}/cancel`)).headers.location, `${path}?done=cancelled`)
  })
})

t.test(
  'the balance of a sale says what is to be paid back, and then that nothing is to be paid',
  async (t) => {
    const { sell, post, textAt, sql } = await makeDesk(t)
    const { path } = await sell()
    t.match(await textAt(path), 'Balance: Paid')
    await post(`${path}/cancel`, { 'Refund.Choice': 'full' })
    t.match(await textAt(path), 'Balance: €90.00 to be paid back')
    const [due] = await sql<{ id: number }[]>`select id from refunds`
    await post(`/dashboard/refunds/${due!.id}/done`, { Method: 'card' })
    t.match(await textAt(path), 'Balance: Nothing to pay')
  },
)

t.test(
  'the page that changes the party offers the same choices for the amount by which the booking becomes cheaper',
  async (t) => {
    const { sell, post, textAt } = await makeDesk(t)
    const { path } = await sell()
    const shown = textOf((await post(`${path}/amend`, { Participants: '1', Show: 'party' })).body)
    t.match(shown, 'By the terms: €22.50')
    const amended = await post(`${path}/amend`, { Participants: '1', 'Refund.Choice': 'full' })
    t.equal(amended.headers.location, `${path}?done=amended-refund`)
    const text = await textAt(`${path}?done=amended-refund`)
    t.match(text, 'The party is changed. The page Refunds lists the amount to pay back.')
    t.match(text, /Smaller party €45\.00 €0\.00 due/)
    t.match(text, 'from 2 to 1 person. The price went from €90.00 to €45.00. €45.00 is to be paid back.')
  },
)

t.test(
  'the form of a closure has one choice for all its bookings, and its preview shows the amounts',
  async (t) => {
    const { sell, post } = await makeDesk(t)
    for (let sale = 0; sale < 2; sale++) await sell()
    const closing = { From: day, To: day, Action: 'cancel' }
    const send = async (fields: Record<string, string>) =>
      textOf((await post('/dashboard/calendar/closures', { ...closing, ...fields })).body)
    t.match(await send({ Step: 'preview' }), 'To be paid back €180.00')
    t.match(await send({ Step: 'preview', 'Refund.Choice': 'terms' }), 'To be paid back €90.00')
    const part = { 'Refund.Choice': 'percent', 'Refund.Percent': '25 %' }
    t.match(await send({ Step: 'preview', ...part }), 'To be paid back €45.00')
    const moving = { Step: 'preview', Action: 'move', 'MoveTo.Date': '2030-06-16', 'Refund.Choice': 'full' }
    t.notMatch(await send(moving), 'Refund must not be given')
    t.match(await send({ Step: 'preview' }), 'will be listed under Refunds')
    const nothing = await send({ Step: 'close', 'Refund.Choice': 'none' })
    t.match(nothing, 'To be paid back €0.00')
    t.notMatch(nothing, 'listed under Refunds')
  },
)

t.test('a closure can refund a percentage of each booking, and refuses an invalid percentage', async (t) => {
  const { sell, post, sql } = await makeDesk(t)
  for (let sale = 0; sale < 2; sale++) await sell()
  const send = (Step: string, fields: Record<string, string>) =>
    post('/dashboard/calendar/closures', { Step, From: day, To: day, Action: 'cancel', ...fields })
  const refusals = [
    [
      { 'Refund.Choice': 'full', 'Refund.Percent': '30' },
      'Part in percent is filled in, but another refund is selected',
    ],
    [
      { 'Refund.Choice': 'percent', 'Refund.Percent': '' },
      'Part in percent must be a percentage from 0 to 100',
    ],
    [
      { 'Refund.Choice': 'percent', 'Refund.Percent': '101' },
      'Part in percent must be a percentage from 0 to 100',
    ],
  ] as const
  for (const [fields, message] of refusals) {
    const refused = await send('preview', fields)
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), message)
  }
  const preview = await send('preview', { 'Refund.Choice': 'percent', 'Refund.Percent': '30' })
  t.match(preview.body, 'name="Refund.Percent" value="30"')
  const closed = await send('close', { 'Refund.Percent': '30' })
  t.match(textOf(closed.body), 'To be paid back €54.00')
  t.match(await sql`SELECT amount_minor::int, kept_minor::int FROM refunds`, [
    { amount_minor: 2700, kept_minor: 6300 },
    { amount_minor: 2700, kept_minor: 6300 },
  ])
})

t.test('a closure counts refunds by partners separately from refunds by the operator', async (t) => {
  const { sell, post, book, call } = await makeDesk(t)
  await sell()
  const [product] = (await call('GET', '/products')).data
  await book(product.ActivityID)
  const send = async (fields: Record<string, string>) =>
    textOf(
      (await post('/dashboard/calendar/closures', { From: day, To: day, Action: 'cancel', ...fields })).body,
    )
  const partners = 'Partners pay back their own customers €90.00'
  const all = await send({ Step: 'preview' })
  t.match(all, `To be paid back €90.00 ${partners}`)
  t.match(all, 'will be listed under Refunds')
  const none = await send({ Step: 'preview', 'Refund.Choice': 'none' })
  t.match(none, `To be paid back €0.00 ${partners}`)
  t.notMatch(none, 'listed under Refunds')
  t.match(await send({ Step: 'close', 'Refund.Choice': 'none' }), `To be paid back €0.00 ${partners}`)
})

t.test('a finished closure shows the amount to be paid back, and links to the refunds', async (t) => {
  const { sell, post } = await makeDesk(t)
  await sell()
  const closing = { From: day, To: day, Action: 'cancel', Step: 'close' }
  const { body } = await post('/dashboard/calendar/closures', closing)
  t.match(textOf(body), /To be paid back €90\.00.*is listed under Refunds/)
  t.match(body, 'listed under <a href="/dashboard/refunds">')
})

t.test('the page of a refund says how much was paid by each method', async (t) => {
  const { sell, post, textAt, sql, accountId } = await makeDesk(t)
  const { path, id } = await sell({ Method: 'cash', Amount: '50.00' })
  await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${id}, 'payment', 'card', 4000, 'EUR', 'key')`
  await post(`${path}/cancel`, { 'Refund.Choice': 'full' })
  const [due] = await sql<{ id: number }[]>`select id from refunds`
  t.match(await textAt(`/dashboard/refunds/${due!.id}`), 'Card €40.00, Cash €50.00')
})

t.test('a refund is paid back by two methods, one after another', async (t) => {
  const { sell, post, get, textAt, sql } = await makeDesk(t)
  const { path } = await sell()
  await post(`${path}/cancel`, { 'Refund.Choice': 'full' })
  const [due] = await sql<{ id: number }[]>`select id from refunds`
  const page = `/dashboard/refunds/${due!.id}`
  const amountOn = async () => /name="Part"[^>]*value="([^"]*)"/.exec((await get(page)).body)?.[1]
  t.equal(await amountOn(), '90.00', 'all of it at first')
  const refused = await post(`${page}/parts`, { Method: 'card', Amount: '90.00', Part: '90,01' })
  t.equal(refused.statusCode, 422)
  t.match(textOf(refused.body), 'must be at most 90.00 EUR, the amount that is due')
  const part = await post(`${page}/parts`, { Method: 'card', Amount: '90.00', Part: '50,5' })
  t.equal(part.headers.location, `${page}?done=part-paid-back`)
  t.match(await textAt(page), /Paid back so far .* €50\.50 Card – .* Left to pay back: €39\.50/)
  t.equal(await amountOn(), '39.50', 'the rest is due')
  t.match(await textAt('/dashboard/refunds'), /Due \(1\).*€39\.50/)
  const rest = { Method: 'transfer', Amount: '39.50', Part: '39.50' }
  t.equal((await post(`${page}/parts`, rest)).headers.location, '/dashboard/refunds?done=paid-back')
  t.match(await textAt('/dashboard/refunds'), 'Due (0)')
  t.match(await sql`select method, amount_minor from payments where kind = 'refund' order by id`, [
    { method: 'card', amount_minor: 5050 },
    { method: 'transfer', amount_minor: 3950 },
  ])
})

t.test('the form that cancels a booking says why the terms pay nothing back', async (t) => {
  const { sell, textAt, sql } = await makeDesk(t)
  const deposit = await sell({ Method: 'cash', Amount: '30.00' })
  t.match(await textAt(`${deposit.path}/cancel`), 'By the refund terms 50 % of the price is kept now.')
  const { path } = await sell()
  t.notMatch(await textAt(`${path}/cancel`), 'so nothing is paid back')
  await sql`update refund_terms set steps = '[{"basisPoints": 5000, "hoursBefore": 999999}]'`
  t.match(await textAt(`${path}/cancel`), 'So close to the start, the refund terms pay nothing back.')
})

t.test('the page of refunds', async (t) => {
  const { sell, post, get, textAt, sql, accountId } = await makeDesk(t)
  const { path } = await sell()
  await post(`${path}/cancel`)
  const [due] = await sql<{ id: number }[]>`select id from refunds`
  const done = `/dashboard/refunds/${due!.id}/done`

  t.test('lists what is due with customer, booking, amount and how it was paid', async (t) => {
    const { body } = await get('/dashboard/refunds')
    t.match(textOf(body), /Due \(1\)/)
    t.match(textOf(body), /Ada Lovelace ada@example\.com \S+ Cancelled €45\.00 €45\.00 Card/)
    t.match(body, `href="${path}"`)
    t.match((await get(`/dashboard/refunds/${due!.id}`)).body, '<option value="card" selected>')
    t.match(body, 'href="mailto:ada@example.com"')
  })

  t.test('says how to pay a refund back, and which button to press then', async (t) => {
    t.match(
      await textAt('/dashboard/refunds'),
      'Pay the money back in cash, at the card terminal or by transfer. Then press “Mark as paid back”.',
    )
  })

  t.test('is in the menu with the number of due refunds, on other pages too', async (t) => {
    t.match(await textAt('/dashboard/today'), /Refunds 1 due Calendar/)
  })

  t.test('marks a refund as paid back, once', async (t) => {
    const answer = await post(done, { Method: 'card', Reference: 'T1-9' })
    t.equal(answer.headers.location, '/dashboard/refunds?done=paid-back')
    t.match(
      await textAt('/dashboard/refunds?done=paid-back'),
      /The refund is marked as paid back.*Nothing is to be paid back/,
    )
    t.match(await textAt('/dashboard/refunds?Status=done'), /€45\.00 .*Card, T1-9/)
    const again = await post(done, { Method: 'card' })
    t.equal(again.statusCode, 409)
    t.match(textOf(again.body), 'It was already paid back.')
  })

  t.test('lists online payments that bought nothing; marking one as paid back can be undone', async (t) => {
    const { id, path: unusedPath } = await sell()
    await sql`
      insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, reference,
        outcome, basket_status, refund_reason)
      values (${accountId}, 'evt_1', '', ${id}, 'succeeded', '90.00', 'EUR', 'ch_5521', 'refund-due', 'completed',
        'paid-twice')`
    t.match(await textAt('/dashboard/refunds'), /provider’s payment Paid twice €90\.00 – Online ch_5521/)
    const page = `/dashboard/refunds/payments/${id}/evt_1`
    t.match(await textAt(page), 'Provider’s reference ch_5521')
    t.notMatch((await get(page)).body, '<option value="cash"')
    const marked = await post(`${page}/done`, { Method: 'card', Reference: 'T1-7' })
    t.equal(marked.statusCode, 303)
    t.match(await textAt('/dashboard/refunds'), 'Nothing is to be paid back.')
    const sold = `/dashboard/sell/${id}`
    for (const shown of [unusedPath, sold])
      t.match(await textAt(shown), /Paid twice Online €90\.00 ch_5521 paid back .*Card, T1-7/, shown)
    t.match(await textAt(unusedPath), 'took €90.00 (ch_5521), which bought nothing. Reason: Paid twice.')
    t.match(await textAt(unusedPath), /noted that the payment .* was paid back: €90\.00 by card \(T1-7\)\./)
    const undone = await post(`${page}/undo`, { Reason: 'The terminal refused it' })
    t.equal(undone.headers.location, '/dashboard/refunds?done=refund-undone')
    t.match(await textAt('/dashboard/refunds'), /Due \(1\)/)
    t.match(
      await textAt(unusedPath),
      'noted that €90.00 by card (T1-7) was not paid back after all. Reason: The terminal refused it.',
    )
    t.equal((await post(`${page}/undo`, { Reason: 'Again' })).statusCode, 409)
  })
})

t.test(
  'all forms use the same labels for the choices of a refund, with amounts where they are known',
  async (t) => {
    const { sell, post, textAt, sql, accountId } = await makeDesk(t)
    const { path, id } = await sell()
    const amending = await post(`${path}/amend`, { Participants: '1', Show: 'party' })
    t.match(
      textOf(amending.body),
      /Pay back By the terms: €22\.50 \(the terms pay back 50 % now\) All: €45\.00 None Part:/,
    )
    const text = await textAt(`${path}/cancel`)
    t.match(text, /Pay back By the terms: €45\.00 \(the terms pay back 50 % now\) All: €90\.00 None Part:/)
    t.match(await textAt('/dashboard/calendar/closures'), /All By the terms None/)
    await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${id}, 'payment', 'card', 500, 'EUR', 'key')`
    t.match(await textAt(path), /All: €5\.00 None Part:/)
  },
)

t.test('“Online” is offered for a refund only if at least a part of the sale was paid online', async (t) => {
  const { sell, post, get, sql, accountId } = await makeDesk(t)
  const { path, id } = await sell({ Method: 'cash' })
  await post(`${path}/cancel`)
  const [due] = await sql<{ id: number }[]>`select id from refunds`
  const methods = async () =>
    [...(await get(`/dashboard/refunds/${due!.id}`)).body.matchAll(/<option value="(\w+)"/g)].map(
      ([, method]) => method,
    )
  t.same(await methods(), ['cash', 'card', 'transfer'])
  await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${id}, 'payment', 'online', 500, 'EUR', 'payment')`
  t.same(new Set(await methods()), new Set(['online', 'cash', 'card', 'transfer']))
})

t.test('the page of a booking shows the decision to pay back nothing', async (t) => {
  const { sell, post, textAt } = await makeDesk(t)
  const { path } = await sell()
  await post(`${path}/cancel`, { 'Refund.Choice': 'none' })
  t.match(await textAt(path), /Refunds of the sale .* Cancelled €0\.00 €90\.00 nothing to pay back/)
})

t.test(
  'a payment that was partly paid back is listed with the rest, and with the amount already paid back',
  async (t) => {
    const { sell, post, get, textAt, sql, accountId } = await makeDesk(t)
    const { id } = await sell()
    await sql`
    insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, outcome,
      basket_status, refund_reason, refunded_minor)
    values (${accountId}, 'evt_1', '', ${id}, 'succeeded', '90.00', 'EUR', 'refund-due', 'completed', 'paid-twice', 4000)`
    t.match(await textAt('/dashboard/refunds'), 'Paid twice €50.00 the rest; €40.00 was paid back before')
    const page = `/dashboard/refunds/payments/${id}/evt_1`
    t.match((await get(page)).body, 'name="Amount" value="50.00"')
    const text = await textAt(page)
    t.match(text, 'Amount €50.00 the rest; €40.00 was paid back before')
    t.notMatch(text, 'Card €90.00', 'the sale was paid by card, this payment was not')
    const path = `${page}/done`
    const refused = await post(path, { Amount: '90.00' })
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'must be 50.00, the amount that is due now')
    t.equal((await post(path, { Amount: '50.00' })).statusCode, 303)
    const done = await textAt('/dashboard/refunds?Status=done')
    t.match(done, /Paid twice €50\.00 the rest; €40\.00 was paid back before .* Undo : €50\.00/)
    t.notMatch(done, '€90.00', 'no method paid the whole amount back')
    t.match(await textAt(`/dashboard/sell/${id}`), /€50\.00 .*paid back .*€40\.00 was paid back before\./)
    t.match(await textAt(`${page}/undo`), '€50.00 was not paid back', 'only the rest was marked')
  },
)

t.test('a payment with more decimals than its currency has is shown as the provider sent it', async (t) => {
  const { sell, textAt, sql, accountId } = await makeDesk(t)
  const { id } = await sell()
  await sql`
    insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, outcome,
      basket_status, refund_reason)
    values (${accountId}, 'evt_1', '', ${id}, 'succeeded', '90.005', 'EUR', 'refund-due', 'completed', 'paid-twice')`
  const page = `/dashboard/refunds/payments/${id}/evt_1`
  for (const path of ['/dashboard/refunds', page, `/dashboard/sell/${id}`])
    t.match(await textAt(path), '€90.005', path)
  t.match(await textAt(page), 'Yes, €90.005 is paid back')
})

t.test('users who may not undo the mark “paid back” have no link to do so, and get 403', async (t) => {
  const { sell, post, get, textAt, signIn, sql } = await makeDesk(t)
  const owner = await signIn()
  const { path } = await sell()
  await post(`${path}/cancel`)
  const [refund] = await sql<{ id: number }[]>`select id from refunds`
  const page = `/dashboard/refunds/${refund!.id}`
  const done = '/dashboard/refunds?Status=done'
  await owner.post(`${page}/done`, { Method: 'card' })
  const link = `href="${page}/undo"`
  t.match((await owner.get(done)).body, link, 'an owner may undo the mark')
  t.notMatch((await get(done)).body, link, 'staff may not undo the mark of another user')
  t.match(await textAt(`${page}/undo`), 'Another user marked this refund.')
  t.notMatch((await get(`${page}/undo`)).body, 'name="Reason"')
  const refused = await post(`${page}/undo`, { Reason: 'The terminal refused it' })
  t.equal(refused.statusCode, 403)
  t.match(textOf(refused.body), 'Another user marked this refund. Ask that user, or an owner, to undo it.')
  const undone = await owner.post(`${page}/undo`, { Reason: 'The terminal refused it' })
  t.equal(undone.statusCode, 303)
  await post(`${page}/done`, { Method: 'card' })
  t.match((await get(done)).body, link, 'staff may undo their own mark')
  await sql`update payments set event_id = 're_9' where refund_id = ${refund!.id}`
  t.notMatch((await owner.get(done)).body, link, 'the provider has confirmed the refund')
  await sql`update payments set event_id = null, told_minor = 100 where refund_id = ${refund!.id}`
  t.notMatch((await owner.get(done)).body, link, 'the provider has confirmed a part of it')
  const confirmed = (await owner.get(`${page}/undo`)).body
  t.match(
    textOf(confirmed),
    'The payment provider has confirmed this refund, or an earlier version of the service marked it',
  )
  t.notMatch(confirmed, 'name="Reason"')
})

t.test(
  'a refund that the provider made although the money was to be kept is listed on the booking’s page',
  async (t) => {
    const { sell, post, textAt, sql, accountId } = await makeDesk(t)
    const { path, id } = await sell()
    await post(`${path}/cancel`, { 'Refund.Choice': 'none' })
    await sql`
    insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, outcome,
      basket_status)
    values (${accountId}, 're_1', '', ${id}, 'refunded', '90.00', 'EUR', 'ignored', 'completed')`
    await settleOldRefunds(sql)
    const why = 'Paid back by your payment provider, although you wanted to keep it'
    t.match(await textAt(path), `${why} €90.00 €0.00 paid back`)
    t.match(await textAt('/dashboard/refunds?Status=done'), why)
  },
)

t.test('an overpaid amount is refunded or kept on the booking’s page', async (t) => {
  const { sell, post, textAt, sql, accountId } = await makeDesk(t)
  const { path, id } = await sell()
  await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${id}, 'payment', 'card', 500, 'EUR', 'key')`
  t.match(await textAt(path), 'Paid too much: €5.00')
  const refused = await post(`${path}/overpaid`, { 'Refund.Choice': 'amount', 'Refund.Amount': '6' })
  t.equal(refused.statusCode, 422)
  const decided = await post(`${path}/overpaid`, { 'Refund.Choice': 'full' })
  t.match(await textAt(String(decided.headers.location)), /Paid too much €5\.00 €0\.00 due/)
  const other = await sell()
  await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${other.id}, 'payment', 'card', 500, 'EUR', 'key')`
  const kept = await post(`${other.path}/overpaid`, { 'Refund.Choice': 'none' })
  t.match(await textAt(String(kept.headers.location)), 'The decision is saved. Nothing is paid back.')
})

t.test(
  'marking a refund that was partly set off meanwhile is refused with the amount that is due now',
  async (t) => {
    const { sell, post, textAt, get, sql } = await makeDesk(t)
    const { path } = await sell()
    await post(`${path}/cancel`, { 'Refund.Choice': 'full' })
    const [refund] = await sql<{ id: number }[]>`select id from refunds`
    t.match((await get(`/dashboard/refunds/${refund!.id}`)).body, 'name="Amount" value="90.00"')
    await sql`update refunds set amount_minor = 5000, set_off_minor = 4000`
    const done = `/dashboard/refunds/${refund!.id}/done`
    const refused = await post(done, { Method: 'cash', Amount: '90.00' })
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), /must be 50\.00, the amount that is due now/)
    t.equal((await post(done, { Method: 'cash', Amount: '50.00' })).statusCode, 303)
    t.match(await textAt('/dashboard/refunds?Status=done'), '€50.00')
  },
)
