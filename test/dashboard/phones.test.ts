/** Phone numbers in the format of the account's country. */
import t, { type Test } from 'tap'
import { setCountry } from '../../src/accounts/service.ts'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

async function makeSale(t: Test, country: string) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn } = dashboard
  await setCountry(sql, accountId, country)
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 9 } })
  const { get, post } = await signIn('staff')
  const form = { ProductID: String(id), ActivityID: activityId, Slot: '2030-06-15T10:00', Participants: '2' }
  const path = (await post('/dashboard/sell', form)).headers.location!
  return { ...dashboard, get, post, path }
}

t.test('the till accepts and shows phone numbers as people dial them in the account’s country', async (t) => {
  for (const [country, typed, stored, shown] of [
    ['DE', '0171 123 4567', '+491711234567', '0171 1234567'],
    ['US', '(212) 555-0123', '+12125550123', '(212) 555-0123'],
    ['US', '+49 171 1234567', '+491711234567', '+49 171 1234567'],
  ] as const) {
    const { sql, get, post, path } = await makeSale(t, country)
    t.equal((await post(`${path}/customer`, { 'Customer.Phone': typed })).statusCode, 303, typed)
    const [booking] = await sql<{ phone: string; reference: string }[]>`select phone, reference from bookings`
    t.equal(booking!.phone, stored)
    t.match(textOf((await get(`/dashboard/bookings/${booking!.reference}`)).body), shown)
    t.match((await get(path)).body, `value="${shown}"`)
    // The number is accepted again as it is shown.
    const again = await post(`/dashboard/bookings/${booking!.reference}/customer`, {
      'Customer.Phone': shown,
    })
    t.equal(again.statusCode, 303)
    t.same(await sql`select phone from bookings`, [{ phone: stored }])
  }
})

t.test('an invalid number is refused with the label of its field, and shown as it was typed', async (t) => {
  const { post, path } = await makeSale(t, 'DE')
  const refused = await post(`${path}/customer`, { 'Customer.Phone': 'ring twice' })
  t.equal(refused.statusCode, 422)
  t.match(refused.body, 'value="ring twice"')
  t.match(
    textOf(refused.body),
    'Phone is not a number of Germany. Check its digits, or add + and the country code, for example +351 912 345 678',
  )
})

t.test('an owner can change the country of the account, and staff cannot', async (t) => {
  const { sql, signIn } = await makeDashboard(t)
  const owner = await signIn('owner')
  const staff = await signIn('staff')
  const countries = async () => (await sql`select country from accounts`).map(({ country }) => country)
  const { body } = await owner.get('/dashboard/account')
  t.match(body, '<option value="PT">Portugal</option>')
  t.notMatch((await staff.get('/dashboard/account')).body, '<option value="PT">')
  const path = '/dashboard/account/country'
  t.equal((await staff.post(path, { Country: 'PT' })).statusCode, 403)
  const sent = await owner.post(path, { Country: 'PT' })
  t.equal(sent.headers.location, '/dashboard/account?done=saved')
  t.same(await countries(), ['PT'])
  t.match((await owner.get('/dashboard/account')).body, '<option value="PT" selected>')
  t.equal((await owner.post(path, { Country: 'XX' })).statusCode, 422)
  t.same(await countries(), ['PT'])
  await owner.post(path, { Country: '' })
  t.same(await countries(), [null], 'the country of the time zone is used again')
})
