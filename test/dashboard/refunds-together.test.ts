/** Refunds that are marked as paid back together, and the page of a refund that is paid back in parts. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'
const several = '/dashboard/refunds/several'

/** Signs in staff. `sellAndCancel` sells bookings for 45.00 each, cancels them, and returns their refund ids. */
async function makeDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 80 } })
  const user = await signIn('staff')
  const line = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 1 }
  const sellAndCancel = async (lines: number, payment: object = { Method: 'card' }) => {
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: Array(lines).fill(line) })
    await call('POST', `/baskets/${data.BasketID}/pay`, payment)
    for (const { BookingReference } of data.Lines)
      await call('POST', `/bookings/${BookingReference}/cancel`, { Refund: { Choice: 'full' } })
    const refunds = await sql<{ id: number }[]>`
      select id from refunds where account_id = ${accountId} and basket_id = ${data.BasketID} order by id`
    return refunds.map(({ id }) => id)
  }
  const textAt = async (url: string) => textOf((await user.get(url)).body)
  const listPaidBack = () =>
    sql<{ refund_id: number; method: string; reference: string | null; amount_minor: number }[]>`
      select refund_id, method, reference, amount_minor from payments where kind = 'refund' order by refund_id`
  return { ...dashboard, ...user, activityId, sellAndCancel, textAt, listPaidBack }
}

/** The fields of the form that marks these refunds, each of this amount. */
function formOf(ids: readonly number[], more: Record<string, string> = {}, amount = '45.00') {
  const each = ids.flatMap((id, index) => [
    [`Refunds[${index}].RefundID`, String(id)],
    [`Refunds[${index}].Amount`, amount],
  ])
  return { ...Object.fromEntries(each), Method: 'card', ...more } as Record<string, string>
}

const addressOf = (ids: readonly number[]) => `${several}?${ids.map((id) => `RefundID=${id}`).join('&')}`

t.test('refunds that are marked together', async (t) => {
  t.test('can be ticked in the list, and are shown with their sum', async (t) => {
    const { get, textAt, sellAndCancel } = await makeDesk(t)
    const ids = await sellAndCancel(3)
    const { body } = await get('/dashboard/refunds')
    for (const id of ids) t.match(body, `name="RefundID" value="${id}" form="together"`)
    const page = await get(addressOf(ids))
    t.match(textOf(page.body), '3 refunds, in full: €135.00')
    t.match(page.body, 'name="Refunds[2].Amount" value="45.00"')
    t.equal((await get(addressOf(ids.slice(0, 1)))).headers.location, `/dashboard/refunds/${ids[0]}`)
    t.match(await textAt(several), 'Nothing is ticked')
  })

  t.test('are offered on the page of one of them', async (t) => {
    const { get, sellAndCancel } = await makeDesk(t)
    const ids = await sellAndCancel(2)
    await sellAndCancel(1)
    const { body } = await get(`/dashboard/refunds/${ids[0]}`)
    t.match(textOf(body), /Also due in this sale €45\.00, Cancelled, \S+ Mark together with this one/)
    t.match(body, `name="RefundID" value="${ids[1]}" checked`)
    t.match(body, `type="hidden" name="RefundID" value="${ids[0]}"`)
  })

  t.test('each get a payment and an event, with the same method and reference', async (t) => {
    const { post, listPaidBack, sellAndCancel, sql, textAt } = await makeDesk(t)
    const ids = [...(await sellAndCancel(2)), ...(await sellAndCancel(1))]
    const answer = await post(several, formOf(ids, { Method: 'transfer', Reference: 'T-9' }))
    t.equal(answer.headers.location, '/dashboard/refunds?done=several-paid-back&count=3')
    t.match(await textAt(String(answer.headers.location)), '3 refunds are marked as paid back.')
    t.same(
      await listPaidBack(),
      ids.map((id) => ({ refund_id: id, method: 'transfer', reference: 'T-9', amount_minor: 4500 })),
    )
    t.match(
      await sql`select details from events where type = 'refund.done' order by id`,
      ids.map((id) => ({ details: { RefundID: id, Method: 'transfer', Amount: '45.00' } })),
    )
  })

  t.test('are paid back once, even if the form is sent twice or from two tabs', async (t) => {
    const { post, listPaidBack, sellAndCancel } = await makeDesk(t)
    const ids = await sellAndCancel(3)
    const once = crypto.randomUUID()
    const twice = await Promise.all([
      post(several, formOf(ids), { once }),
      post(several, formOf(ids), { once }),
    ])
    t.same(
      twice.map(({ statusCode }) => statusCode),
      [303, 303],
    )
    t.equal((await post(several, formOf(ids), { once })).statusCode, 303, 'a reload')
    const other = await post(several, formOf(ids))
    t.equal(other.statusCode, 409, 'another tab')
    t.match(textOf(other.body), '3 of them are no longer due')
    t.equal((await listPaidBack()).length, 3)
  })

  t.test('are all left unmarked if they exceed the maximum of a payment in cash', async (t) => {
    const { post, listPaidBack, sellAndCancel, sql } = await makeDesk(t)
    const ids = await sellAndCancel(2)
    await sql`update refunds set amount_minor = 1000000000001`
    const refused = await post(several, formOf(ids, { Method: 'cash' }, '10000000000.01'))
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'must be at most 10000000000.00 EUR in cash')
    t.same(await listPaidBack(), [])
  })

  t.test('are all left unmarked if one was paid meanwhile, and the page then offers the rest', async (t) => {
    const { post, listPaidBack, sellAndCancel } = await makeDesk(t)
    const ids = await sellAndCancel(3)
    await post(`/dashboard/refunds/${ids[1]}/parts`, { Method: 'card', Amount: '45.00', Part: '45.00' })
    const refused = await post(several, formOf(ids, { Method: 'cash', Reference: 'kept' }))
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'have changed meanwhile, so none was marked')
    t.match(textOf(refused.body), /One of them is no longer due.*2 refunds, in full: €90\.00/)
    t.match(refused.body, 'value="kept"')
    t.same(
      (await listPaidBack()).map(({ refund_id }) => refund_id),
      [ids[1]],
    )
  })

  t.test('cannot be marked with an amount other than the amount due', async (t) => {
    const { post, listPaidBack, sellAndCancel } = await makeDesk(t)
    const ids = await sellAndCancel(2)
    const refused = await post(several, formOf(ids, {}, '44.00'))
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'have changed meanwhile')
    t.same(await listPaidBack(), [])
  })

  t.test(
    'cannot be in several currencies, include one that does not exist, or be more than 100',
    async (t) => {
      const { post, get, listPaidBack, sellAndCancel, sql, textAt } = await makeDesk(t)
      const ids = await sellAndCancel(2)
      t.equal((await post(several, formOf([...ids, 999_999]))).statusCode, 404)
      t.equal((await get(addressOf([...ids, 999_999]))).statusCode, 404)
      const more = await sql<{ id: number }[]>`
      insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor)
      select account_id, basket_id, cause, amount_minor, 0, currency, status, actor
      from refunds, generate_series(1, 99) where id = ${ids[0]!} returning id`
      const many = [...ids, ...more.map(({ id }) => id)]
      t.match(await textAt(addressOf(many)), 'Too many at once: tick at most 100.')
      t.equal((await post(several, formOf(many))).statusCode, 422)
      await sql`update refunds set currency = 'USD' where id = ${ids[1]!}`
      t.match(await textAt(addressOf(ids)), 'These refunds are in several currencies.')
      const refused = await post(several, formOf(ids))
      t.equal(refused.statusCode, 422)
      t.match(textOf(refused.body), 'Mark those of each currency by themselves')
      t.same(await listPaidBack(), [])
    },
  )

  t.test('take cash out of the open till, which must hold their sum', async (t) => {
    const { post, listPaidBack, sellAndCancel, sql, accountId, userId, textAt } = await makeDesk(t)
    const ids = await sellAndCancel(3)
    const [till] = await sql<{ id: number }[]>`
      insert into tills (account_id, user_id, currency, float_minor) values (${accountId}, ${userId}, 'EUR', 10000)
      returning id`
    t.match(await textAt(addressOf(ids)), 'Your till has €100.00 in cash; this refund takes €135.00.')
    const refused = await post(several, formOf(ids, { Method: 'cash' }))
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'Your till has €100.00 in cash; this refund takes €135.00.')
    t.same(await listPaidBack(), [])
    t.equal((await post(several, formOf(ids.slice(0, 2), { Method: 'cash' }))).statusCode, 303)
    t.match(await sql`select till_id from payments where kind = 'refund'`, [
      { till_id: till!.id },
      { till_id: till!.id },
    ])
    t.match(await textAt(`/dashboard/till/${till!.id}`), 'Expected €10.00')
  })

  t.test(
    'are paid back once, even if one user marks them together while another marks them one by one',
    async (t) => {
      const { post, listPaidBack, sellAndCancel, signIn } = await makeDesk(t)
      const other = await signIn('owner')
      for (let round = 0; round < 5; round++) {
        const ids = await sellAndCancel(3)
        const single = (id: number) =>
          other.post(`/dashboard/refunds/${id}/parts`, { Method: 'card', Amount: '45.00', Part: '45.00' })
        const [together, ...singly] = await Promise.all([
          post(several, formOf(ids)),
          single(ids[2]!),
          single(ids[0]!),
        ])
        const isTogether = together.statusCode === 303
        t.equal(together.statusCode, isTogether ? 303 : 409)
        for (const { statusCode } of singly) t.equal(statusCode, isTogether ? 409 : 303)
        const found = (await listPaidBack()).filter(({ refund_id }) => ids.includes(refund_id))
        t.equal(found.length, isTogether ? 3 : 2)
      }
    },
  )

  t.test('of two sales are paid back once if two people mark them in different orders', async (t) => {
    const { post, listPaidBack, sellAndCancel, signIn } = await makeDesk(t)
    const other = await signIn('owner')
    for (let round = 0; round < 5; round++) {
      const ids = [...(await sellAndCancel(1)), ...(await sellAndCancel(1))]
      const answers = await Promise.all([
        post(several, formOf(ids)),
        other.post(several, formOf(ids.toReversed())),
      ])
      t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 409])
      t.equal((await listPaidBack()).filter(({ refund_id }) => ids.includes(refund_id)).length, 2)
    }
  })
})

t.test('the page of a refund', async (t) => {
  t.test('lists every part that was paid back, by whom, and what is left', async (t) => {
    const { post, textAt, sellAndCancel, signIn } = await makeDesk(t)
    const [id] = await sellAndCancel(1)
    const page = `/dashboard/refunds/${id}`
    const other = await signIn('owner')
    t.notMatch(await textAt(page), 'Paid back so far')
    await post(`${page}/parts`, { Method: 'card', Amount: '45.00', Part: '20', Reference: 'T1' })
    await other.post(`${page}/parts`, { Method: 'transfer', Amount: '25.00', Part: '10', Reference: 'T2' })
    const both = /€20\.00 Card T1 staff@quay\.test .*€10\.00 Bank transfer T2 owner@quay\.test/
    const text = await textAt(page)
    t.match(text, both)
    t.match(text, 'Left to pay back: €15.00')
    await post(`${page}/parts`, { Method: 'cash', Amount: '15.00', Part: '15.00' })
    const done = await textAt(page)
    t.match(done, both)
    t.match(done, /€15\.00 Cash – staff@quay\.test Everything is paid back\./)
  })

  t.test('does not list an undone part, or payments of other refunds, as paid back so far', async (t) => {
    const { post, textAt, sellAndCancel, sql } = await makeDesk(t)
    const [one, other] = await sellAndCancel(2)
    const page = `/dashboard/refunds/${one}`
    await post(`${page}/parts`, { Method: 'card', Amount: '45.00', Part: '20', Reference: 'T1' })
    await post(`/dashboard/refunds/${other}/parts`, { Method: 'transfer', Amount: '45.00', Part: '45' })
    const text = await textAt(page)
    t.match(text, 'Paid back of this sale before Bank transfer €45.00')
    t.match(text, /Paid back so far .*€20\.00 Card T1 .*Left to pay back: €25\.00/)
    const [part] = await sql<{ id: number }[]>`select id from refunds order by id desc limit 1`
    await post(`/dashboard/refunds/${part!.id}/undo`, { Reason: 'The terminal refused it' })
    t.notMatch(await textAt(page), 'Paid back so far')
  })
})
