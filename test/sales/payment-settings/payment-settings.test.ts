/** Payment settings: their valid values, their changes, and how the address of the payment page is filled. */
import t from 'tap'
import { checkPaymentPage, paymentPageUrl } from '../../../src/sales/payment-settings/model.ts'
import { openTestMode } from '../../../src/test-mode/service.ts'
import { makeDashboard, textOf } from '../../dashboard/fixtures.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'

const page = 'https://pay.example/quay/{BasketID}?sum={Amount}&in={Currency}&back={ReturnURL}'

t.test('the address of a payment page', async (t) => {
  t.test('is filled with the amount, the currency and other values, each of them escaped', async (t) => {
    const values = { BasketID: 7, Amount: '90.00', Currency: 'EUR', ReturnURL: 'https://quay.test/w?a=1&b=/' }
    t.equal(
      paymentPageUrl(page, values),
      'https://pay.example/quay/7?sum=90.00&in=EUR&back=https%3A%2F%2Fquay.test%2Fw%3Fa%3D1%26b%3D%2F',
    )
  })

  t.test('is an https address that has the BasketID after the host name', async (t) => {
    t.equal(checkPaymentPage(page), null)
    for (const [wrong, message] of [
      ['http://pay.example/{BasketID}', /https/],
      ['javascript:alert({BasketID})', /https/],
      ['https:pay.example/{BasketID}', /https/],
      ['https://user:secret@pay.example/{BasketID}', /user name/],
      ['https://pay.example/a b/{BasketID}', /spaces/],
      ['https://{BasketID}.pay.example/', /after the host name/],
      ['https://pay.example{BasketID}/', /after the host name/],
      ['https://pay.example/', /\{BasketID\}/],
      ['https://pay.example/{BasketID}/{Email}', /may only have/],
      ['https://pay.example/{BasketID', /may only have/],
    ] as const)
      t.match(checkPaymentPage(wrong), message, wrong)
  })
})

t.test('an operator changes the payment settings with its API key', async (t) => {
  const { call, sql } = await makeOperator(t)
  t.same((await call('GET', '/payment-settings')).data, { PaymentPage: null, Contact: null })
  const set = { PaymentPage: page, Contact: 'desk@quay.test' }
  for (const _ of [1, 2]) t.same((await call('PUT', '/payment-settings', set)).data, set)
  t.same((await call('GET', '/payment-settings')).data, set)
  t.same((await call('PUT', '/payment-settings', {})).data, { PaymentPage: null, Contact: null })
  t.same(
    (await sql`select details from events where type = 'payment-settings.changed' order by id`).map(
      ({ details }) => details.Fields,
    ),
    [
      ['PaymentPage', 'Contact'],
      ['PaymentPage', 'Contact'],
    ],
    'each change has an event, without the values',
  )
  const wrong = { PaymentPage: 'http://pay.example', Contact: 'two\nlines' }
  const refused = await call('PUT', '/payment-settings', wrong)
  t.equal(refused.status, 422)
  t.same(fieldsOf(refused), ['Contact'])
  t.same(fieldsOf(await call('PUT', '/payment-settings', { PaymentPage: 'http://x.test' })), ['PaymentPage'])
})

t.test('an owner changes the payment settings of each mode on a page of the dashboard', async (t) => {
  const { sql, accountId, signIn } = await makeDashboard(t)
  const [owner, staff] = [await signIn(), await signIn('staff')]
  const path = '/dashboard/payment-settings'
  t.equal((await staff.get(path)).statusCode, 403)
  t.equal((await staff.post(path, { PaymentPage: page })).statusCode, 403)
  const refused = await owner.post(path, { PaymentPage: 'http://pay.example/', Contact: 'desk@quay.test' })
  t.equal(refused.statusCode, 422)
  t.match(textOf(refused.body), 'Payment page must ')
  t.match(refused.body, 'value="desk@quay.test"')
  t.equal((await owner.post(path, { PaymentPage: page, Contact: '' })).statusCode, 303)
  t.match((await owner.get(path)).body, 'value="https://pay.example/quay/{BasketID}')
  await openTestMode(sql, accountId)
  t.match(textOf((await owner.get('/dashboard/test/payment-settings')).body), 'settings of test mode')
  t.notMatch((await owner.get('/dashboard/test/payment-settings')).body, 'value="https://')
  await owner.post('/dashboard/test/payment-settings', { Contact: 'nobody' })
  t.match(await sql`select account_id, contact from payment_settings order by account_id`, [
    { account_id: -accountId, contact: 'nobody' },
    { account_id: accountId, contact: null },
  ])
})
