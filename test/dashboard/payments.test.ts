/** Payments in the dashboard: partial payments at the till, and the payments of a booking on its page. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'

async function makeDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 8 } })
  const user = await signIn('staff')
  const line = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 2 }
  const hold = async () => {
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
    return { id: data.BasketID as number, reference: data.Lines[0].BookingReference as string }
  }
  const ledgerOf = async (reference: string) => (await call('GET', `/bookings/${reference}`)).data.Ledger
  const textAt = async (url: string) => textOf((await user.get(url)).body)
  return { ...dashboard, ...user, activityId, hold, ledgerOf, textAt }
}

t.test('the payment of a sale', async (t) => {
  const { hold, post, get, textAt, ledgerOf } = await makeDesk(t)

  t.test('can be partial, and the finished sale says what remains to be paid', async (t) => {
    const { id, reference } = await hold()
    const path = `/dashboard/sell/${id}`
    t.match((await get(`${path}/pay?Nameless=true`)).body, 'Take a part, or nothing yet')
    const fields = { Method: 'cash', Due: '90.00', Amount: '20,5', Part: 'true' }
    t.equal((await post(`${path}/pay`, fields)).headers.location, path)
    const sold = await textAt(path)
    t.match(sold, 'Paid: €20.50 (cash)')
    t.match(sold, '€69.50 to pay')
    t.match(await ledgerOf(reference), { Balance: { Amount: '69.50' } })
  })

  t.test('can be 0 at first', async (t) => {
    const { id } = await hold()
    const path = `/dashboard/sell/${id}`
    await post(`${path}/pay`, { Method: 'cash', Due: '90.00', Amount: '0', Part: 'true' })
    t.match(await textAt(path), /Paid: €0.00 €90.00 to pay/)
  })

  t.test('is refused if the amount does not fit the button that was pressed', async (t) => {
    const { id } = await hold()
    const path = `/dashboard/sell/${id}/pay`
    const send = (fields: Record<string, string>) => post(path, { Method: 'cash', Due: '90.00', ...fields })
    for (const [fields, message] of [
      [{ Amount: '20' }, 'leave it empty to take the full amount'],
      [{ Part: 'true' }, 'type what the customer pays now'],
      [{ Amount: '91', Part: 'true' }, 'must be at most the total, 90.00 EUR'],
      [{ Amount: 'some', Part: 'true' }, 'Amount'],
    ] as const) {
      const answer = await send(fields)
      t.equal(answer.statusCode, 422, message)
      t.match(textOf(answer.body), message)
    }
    t.equal((await send({})).statusCode, 303)
  })
})

t.test('a booking', async (t) => {
  const { hold, post, textAt, ledgerOf, call, book, activityId } = await makeDesk(t)
  const { id, reference } = await hold()
  const path = `/dashboard/bookings/${reference}`

  t.test('that is held shows its balance, and a link to take the payment', async (t) => {
    t.match(await textAt(path), 'Balance: €90.00 to pay')
    t.match(await textAt(path), 'Take the payment')
  })

  t.test('says what was paid, how, when and by whom, and what remains to be paid', async (t) => {
    await post(`/dashboard/sell/${id}/pay`, { Method: 'card', Reference: 'T1-3', Amount: '30', Part: 'true' })
    const text = await textAt(path)
    t.match(text, 'Balance: €60.00 to pay')
    t.match(text, /Paid Card €30\.00 T1-3 staff@quay\.test/)
  })

  t.test('takes a payment once, even if the form is sent twice', async (t) => {
    const once = crypto.randomUUID()
    const fields = { Method: 'transfer', Amount: '50', Reference: 'SEPA 7' }
    for (const _ of [1, 2]) {
      const answer = await post(`${path}/payments`, fields, { once })
      t.equal(answer.headers.location, `${path}?done=payment-taken`)
    }
    t.match(await ledgerOf(reference), { Paid: { Amount: '80.00' }, Balance: { Amount: '10.00' } })
    t.match(await textAt(path), /Paid Bank transfer €50\.00 SEPA 7 staff@quay\.test/)
  })

  t.test('shows the form of a refused payment again, with the error and what was typed', async (t) => {
    const answer = await post(`${path}/payments`, { Method: 'cash', Amount: '10,01', Reference: 'again' })
    t.equal(answer.statusCode, 422)
    t.match(textOf(answer.body), 'must be at most the balance, 10.00 EUR')
    t.match(answer.body, 'value="again"')
  })

  t.test('shows what is to be paid on the list and on the page of its day, until it is paid', async (t) => {
    t.match(await textAt('/dashboard/bookings'), '€10.00 to pay')
    t.match(await textAt(`/dashboard/today?Date=${day}`), '€10.00 to pay', 'and on the page of its day')
    await post(`${path}/payments`, { Method: 'cash', Amount: '10' })
    t.notMatch(await textAt('/dashboard/bookings'), 'to pay')
    const text = await textAt(path)
    t.match(text, 'Balance: Paid')
    t.notMatch(text, 'Take a payment')
    t.equal((await post(`${path}/payments`, { Method: 'cash', Amount: '1' })).statusCode, 409)
  })

  t.test('of a sale with several bookings says that the payments are for the whole sale', async (t) => {
    const Lines = [1, 2].map((Participants) => ({
      ActivityID: activityId,
      Date: day,
      Time: '10:00',
      Participants,
    }))
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines })
    await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'cash' })
    const text = await textAt(`/dashboard/bookings/${data.Lines[0].BookingReference}`)
    t.match(text, 'For the whole sale. Its bookings cost €135.00 together.')
  })

  t.test('that a partner sold says that the customer pays the partner', async (t) => {
    const { reference } = await book(activityId, { Date: day })
    const text = await textAt(`/dashboard/bookings/${reference}`)
    t.match(text, 'Paid to the partner.')
  })
})
