/** Reductions of a sale at the till: the code of a promotion, and a reduction with a reason. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

/** A basket of two places for €90.00, and staff at the till. */
async function makeSale(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  await call('POST', '/promotions', { Code: 'SUMMER-10', Percent: '10' })
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
  await call('PATCH', `/baskets/${data.BasketID}`, { Customer: { FirstName: 'Ada' } })
  const path = `/dashboard/sell/${data.BasketID}`
  const { get, post } = await signIn('staff')
  const show = async (page = path) => textOf((await get(page)).body)
  const reference = data.Lines[0].BookingReference as string
  return { ...dashboard, path, get, post, show, reference }
}

t.test('a promotion’s code', async (t) => {
  t.test('reduces the price until it is removed', async (t) => {
    const { path, post, show } = await makeSale(t)
    const used = await post(`${path}/promotion`, { Code: 'summer-10' })
    t.equal(used.headers.location, `${path}?done=promotion`)
    t.match(await show(), /Reduced by €9.00 .*The code SUMMER-10 takes off €9.00. .*To pay: €81.00/)
    const removed = await post(`${path}/promotion/remove`)
    t.equal(removed.headers.location, `${path}?done=promotion-removed`)
    t.match(await show(), 'To pay: €90.00')
  })

  t.test('a price that a code has changed meanwhile is shown before anything is paid', async (t) => {
    const { path, post, call } = await makeSale(t)
    await post(`${path}/promotion`, { Code: 'SUMMER-10' })
    const refused = await post(`${path}/pay`, { Due: '90.00', Method: 'cash' })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), /Nothing is paid yet. The price has changed: .* Take €81.00/)
    t.equal((await post(`${path}/pay`, { Due: '81.00', Method: 'cash' })).statusCode, 303)
    t.match((await call('GET', '/bookings')).data, [{ Status: 'confirmed', Total: { Amount: '81.00' } }])
  })
})

t.test('a reduction at the till', async (t) => {
  t.test('a reduction of an amount is taken off, and the booking shows it with its reason', async (t) => {
    const { path, post, show, reference } = await makeSale(t)
    const paid = { Method: 'cash', 'Reduction.Amount': '10,50', 'Reduction.Reason': 'Late start' }
    t.equal((await post(`${path}/pay`, paid)).headers.location, path)
    t.match(await show(), 'Paid: €79.50')
    const booking = await show(`/dashboard/bookings/${reference}`)
    t.match(booking, 'Reduced by €10.50: Late start Total €79.50')
    t.match(booking, /reduced the price by €10\.50/)
    const smaller = await post(`/dashboard/bookings/${reference}/amend`, { Participants: '1', Show: 'party' })
    t.match(textOf(smaller.body), 'The reduction at the till of €10.50 stays the same amount.')
  })

  t.test('a reduction and a code are separate lines of the booking, each with its amount', async (t) => {
    const { path, post, show, reference } = await makeSale(t)
    await post(`${path}/promotion`, { Code: 'SUMMER-10' })
    t.match(await show(`/dashboard/bookings/${reference}`), 'Code SUMMER-10 €9.00 Total €81.00')
    await post(`${path}/pay`, { Method: 'cash', 'Reduction.Amount': '0.72', 'Reduction.Reason': 'Late bus' })
    t.match(
      await show(),
      /2 × €45.00 Code SUMMER-10: €9.00 off Reduced by €0.72: Late bus Subtotal €80.28/,
      'also on the page of the finished sale',
    )
    t.match(
      await show(`/dashboard/bookings/${reference}`),
      'Code SUMMER-10 €9.00 Reduced by €0.72: Late bus Total €80.28',
    )
  })

  t.test(
    'is shown before it is applied: the button has the new amount, the booking the old price',
    async (t) => {
      const { path, post, call, show, reference, sql } = await makeSale(t)
      t.match(await show(`${path}/pay`), 'Take €90.00')
      const fields = {
        ...{
          Method: 'card',
          Reference: 'T1',
          'Reduction.Percent': '12,5 %',
          'Reduction.Reason': 'Late start',
        },
      }
      const shown = await post(`${path}/pay/reduction`, fields)
      t.equal(shown.statusCode, 200)
      const text = textOf(shown.body)
      t.match(text, /Price: €90.00. Reduced by €11.25: Late start .* To pay: €78.75 .* Take €78.75/)
      t.notMatch(text, 'Take €90.00')
      t.match((await call('GET', `/bookings/${reference}`)).data, {
        Status: 'held',
        Total: { Amount: '90.00' },
      })
      for (const [name, value] of [
        ['Percent', '12.5'],
        ['Reason', 'Late start'],
      ])
        t.match(shown.body, `name="Reduction.${name}" value="${value}"`)
      t.match(shown.body, 'name="Reference" value="T1"', 'what was typed is kept')
      for (const act of ['extend', 'customer']) {
        await post(`${path}/${act}`, { Back: 'pay' })
        t.match(await show(`${path}/pay?Nameless=true`), 'Take €78.75', `it is kept: ${act}`)
        t.match(await show(), /Reduced by €11.25: Late start To pay: €78.75/)
      }
      await post(`${path}/pay/reduction/remove`)
      t.match(await show(`${path}/pay?Nameless=true`), 'Take €90.00', 'the reduction is removed')
      const paid = {
        Due: '78.75',
        Method: 'cash',
        'Reduction.Percent': '12.5',
        'Reduction.Reason': 'Late start',
      }
      await post(`${path}/pay/reduction`, fields)
      await post(`${path}/pay`, paid)
      t.match(await show(), 'Paid: €78.75')
      t.same(
        await sql`select from baskets where agreed_reduction is not null`,
        [],
        'the stored reduction is deleted with the payment',
      )
    },
  )

  t.test('a reduction that was not shown yet is shown first, and nothing is paid', async (t) => {
    const { path, post, show, call, reference } = await makeSale(t)
    const paid = { Due: '90.00', Method: 'cash', 'Reduction.Amount': '10', 'Reduction.Reason': 'Late start' }
    const first = await post(`${path}/pay`, paid)
    t.equal(first.statusCode, 409)
    t.match(textOf(first.body), /Nothing is paid yet. The price is reduced: .* To pay: €80.00 .* Take €80.00/)
    t.equal((await call('GET', `/bookings/${reference}`)).data.Status, 'held')
    const once = crypto.randomUUID()
    for (const _ of [1, 2])
      t.equal((await post(`${path}/pay`, { ...paid, Due: '80.00' }, { once })).headers.location, path)
    t.match(await show(), 'Paid: €80.00')
  })

  t.test('a reduction of 100 percent leaves nothing to be paid', async (t) => {
    const { path, post } = await makeSale(t)
    const fields = { 'Reduction.Percent': '100', 'Reduction.Reason': 'A gift' }
    t.match(textOf((await post(`${path}/pay/reduction`, fields)).body), 'Confirm without a payment')
  })

  t.test(
    'a reduction that is larger than the changed total is refused, and the button has the total again',
    async (t) => {
      const { path, post, show, sql } = await makeSale(t)
      await post(`${path}/pay/reduction`, { 'Reduction.Amount': '80', 'Reduction.Reason': 'Late start' })
      await sql`update bookings set unit_price_minor = 2250`
      const text = await show(`${path}/pay`)
      t.match(text, 'Amount off must be at most the total')
      t.match(text, 'Take €45.00')
    },
  )

  t.test('an invalid reduction is not shown as a new price: the button keeps the total', async (t) => {
    const { path, post } = await makeSale(t)
    for (const [fields, text] of [
      [{ 'Reduction.Percent': '10' }, 'Reason is needed for a reduction'],
      [{ 'Reduction.Amount': '100', 'Reduction.Reason': 'Late' }, 'Amount off must be at most the total'],
      [{ 'Reduction.Percent': 'half', 'Reduction.Reason': 'Late' }, 'Percent off must be a percentage'],
      [{}, 'Reason is needed for a reduction'],
    ] as [Record<string, string>, string][]) {
      const answer = await post(`${path}/pay/reduction`, fields)
      t.equal(answer.statusCode, 422, text)
      t.match(textOf(answer.body), text)
      t.match(textOf(answer.body), 'Take €90.00')
    }
  })

  t.test('the errors of an invalid reduction name its fields by their labels; nothing is sold', async (t) => {
    const { path, post, call, reference } = await makeSale(t)
    const refused = async (fields: Record<string, string>, text: string) => {
      const answer = await post(`${path}/pay`, { Method: 'cash', ...fields })
      t.equal(answer.statusCode, 422, text)
      t.match(textOf(answer.body), text)
    }
    await refused({ 'Reduction.Percent': '10' }, 'Reason is needed for a reduction')
    await refused({ 'Reduction.Reason': 'Late' }, 'Amount off or “Percent off” is needed for a reduction')
    const both = { 'Reduction.Amount': '5', 'Reduction.Percent': '10%', 'Reduction.Reason': 'Late' }
    await refused(both, 'Percent off cannot go with an amount off: fill in one of them')
    await refused(
      { 'Reduction.Amount': '100', 'Reduction.Reason': 'Late' },
      'Amount off must be at most the total',
    )
    t.equal((await call('GET', `/bookings/${reference}`)).data.Status, 'held')
  })
})
