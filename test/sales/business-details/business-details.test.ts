/**
 * The business details of the operator: set through the API, by a command and on a page, and shown on
 * receipts and customers' pages.
 */
import t from 'tap'
import { ticketsUrl } from '../../../src/sales/ticket/links.ts'
import { prepareCommands } from '../../command-line.ts'
import { makeDashboard, textOf } from '../../dashboard/fixtures.ts'
import { makeProduct } from '../../helper.ts'
import { makeSending } from '../../messaging/emails/fixtures.ts'
import { startSmtp } from '../../messaging/emails/smtp.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'
import { pumpEvents } from '../../pump.ts'

const nothing = {
  ...{ LegalName: null, AddressLines: [], TaxNumber: null, Phone: null, Email: null },
  ...{ Locale: null, Colour: null },
}
const noLogo = { Logo: null }
const details = {
  LegalName: 'Quay Tours, Lda.',
  AddressLines: ['Rua do Cais 12', '8600-315 Lagos'],
  TaxNumber: 'PT 501 234 567',
  Phone: '+351 282 555 010',
  Email: 'desk@quay.test',
  Locale: 'pt-PT',
  Colour: '#8a1538',
}
const path = '/business-details'

t.test('an operator sets the business details with its API key', async (t) => {
  const { call, sql } = await makeOperator(t)
  t.same((await call('GET', path)).data, { ...nothing, ...noLogo })
  for (const _ of [1, 2]) t.same((await call('PUT', path, details)).data, { ...details, ...noLogo })
  t.same((await call('GET', path)).data, { ...details, ...noLogo })
  const { TaxNumber, ...others } = details
  const unset = { ...details, TaxNumber: null, ...noLogo }
  t.same((await call('PUT', path, others)).data, unset, 'a field that is left out is unset')
  const events = await sql`select details from events where type = 'business-details.changed' order by id`
  t.same(
    events.map(({ details }) => details.Fields),
    [Object.keys(details), ['TaxNumber']],
    'each change adds one event with the names of the changed fields',
  )
  const wrong = {
    LegalName: ' ',
    AddressLines: ['two\nlines', ...Array(7).fill('line')],
    TaxNumber: 'x'.repeat(51),
    Phone: 'call me',
    Email: 'desk',
    Locale: 'tlh',
    Colour: 'red; background: url(//evil.example)',
  }
  const refused = await call('PUT', path, wrong)
  t.equal(refused.status, 422)
  t.same(new Set(fieldsOf(refused)), new Set([...Object.keys(wrong), 'AddressLines[0]']))
  t.same((await call('GET', path)).data, unset)
})

t.test(
  'an owner sets the business details on a page, with all lines of the address in one field',
  async (t) => {
    const { signIn, call } = await makeDashboard(t)
    const [owner, staff] = [await signIn(), await signIn('staff')]
    const page = '/dashboard/business-details'
    t.equal((await staff.get(page)).statusCode, 403)
    t.equal((await staff.post(page, { TaxNumber: 'PT 1' })).statusCode, 403)
    t.match((await owner.get('/dashboard/account')).body, `href="${page}"`)
    const fields = {
      ...{ LegalName: ' Quay Tours, Lda. ', AddressLines: 'Rua do Cais 12\r\n\r\n 8600-315 Lagos ' },
      ...{ TaxNumber: 'PT 501 234 567', Phone: '+351 282 555 010' },
      ...{ Locale: 'pt-PT', Colour: '#8A1538' },
    }
    const refused = await owner.post(page, { ...fields, Email: 'desk', Phone: 'call me' })
    t.equal(refused.statusCode, 422)
    const text = textOf(refused.body)
    t.match(text, 'E-mail address must be an e-mail address')
    t.match(text, 'Phone must be a phone number, for example +351 282 555 010')
    t.match(refused.body, /Rua do Cais 12\s+8600-315 Lagos/, 'the form keeps the typed text')
    const long = Array(7).fill('line').join('\n')
    t.match(
      textOf((await owner.post(page, { AddressLines: long })).body),
      'Address must have at most 6 lines',
    )
    t.equal((await owner.post(page, { ...fields, Email: 'desk@quay.test' })).statusCode, 303)
    t.same((await call('GET', path)).data, { ...details, ...noLogo })
    t.match((await owner.get(page)).body, /<option value="pt-PT" selected>Português \(Portugal\)/)
    t.match((await owner.get(page)).body, 'Rua do Cais 12\n8600-315 Lagos</textarea>')
  },
)

t.test('receipts and customers’ pages show the business details that are set', async (t) => {
  const secret = 'a secret that is long enough for a test'
  const dashboard = await makeDashboard(t, { environment: { SECRET_KEY: secret } })
  const { app, sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const { get, post } = await signIn('staff')
  const sale = {
    ...{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 },
    ...{ Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' } },
    Payment: { Method: 'cash' },
  }
  const { BookingReference: reference, BasketID } = (await call('POST', '/bookings', sale)).data
  const link = new URL(ticketsUrl('http://booking.test', secret, { accountId, reference })).pathname
  const receipt = `/dashboard/sell/${BasketID}/receipt`
  const head =
    /Quay Tours, Lda\. Rua do Cais 12 8600-315 Lagos Tax number: PT 501 234 567 \+351 282 555 010 desk@quay\.test/

  await t.test(
    'until they are set, customers’ pages show the account’s name, and staff see what is missing',
    async (t) => {
      t.match(textOf((await get(receipt)).body), 'The receipt has no address and no tax number yet.')
      t.match(textOf((await app.inject(link)).body), 'booked with quay')
    },
  )

  await call('PUT', path, { ...details, Locale: null })

  t.test('on the receipt that staff print', async (t) => {
    const { body } = await get(receipt)
    t.match(textOf(body), head)
    t.notMatch(textOf(body), 'no tax number yet')
  })

  t.test('by e-mail', async (t) => {
    const smtp = await startSmtp(t)
    await post(receipt)
    await pumpEvents(sql)
    await makeSending(sql, { SMTP_URL: smtp.url })()
    const { text = '' } = smtp.received.at(-1)!.mail
    t.match(text, 'Rua do Cais 12\n8600-315 Lagos\nTax number: PT 501 234 567')
  })

  t.test('on the customer’s receipt and tickets, with telephone and e-mail links', async (t) => {
    t.match(textOf((await app.inject(`${link}/receipt`)).body), head)
    for (const url of [link, `${link}/receipt`]) {
      const { body } = await app.inject(url)
      t.match(body, 'href="tel:+351282555010"')
      t.match(body, 'href="mailto:desk@quay.test"')
    }
    const foot = 'quay (Quay Tours, Lda.) Rua do Cais 12, 8600-315 Lagos'
    t.match(textOf((await app.inject(link)).body), foot)
    t.notMatch(
      textOf((await app.inject(`${link}/receipt`)).body),
      foot,
      'the head of the receipt already shows it',
    )
  })
})

t.test('a phone number is shown as its country writes it, and dialled as it is stored', async (t) => {
  const secret = 'a secret that is long enough for a test'
  const { app, sql, accountId, call, signIn } = await makeDashboard(t, {
    environment: { SECRET_KEY: secret },
  })
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  await call('PUT', path, { Phone: '+351282555010', Email: 'desk@quay.test' })
  const sale = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const { data } = await call('POST', '/bookings', { ...sale, Payment: { Method: 'cash' } })
  const { BookingReference: reference, BasketID } = data
  const link = new URL(ticketsUrl('http://booking.test', secret, { accountId, reference })).pathname
  const { get } = await signIn('staff')
  const pages = [
    await get(`/dashboard/sell/${BasketID}/receipt`),
    await app.inject(link),
    await app.inject(`${link}/receipt`),
  ]
  for (const { body } of pages) {
    t.match(textOf(body), '+351 282 555 010')
    t.notMatch(textOf(body), '351282555010')
  }
  t.match(pages[1]!.body, 'href="tel:+351282555010"')
})

t.test('the foot of a customer’s page lists each way to contact the operator once', async (t) => {
  const secret = 'a secret that is long enough for a test'
  const { app, sql, accountId, call } = await makeDashboard(t, { environment: { SECRET_KEY: secret } })
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const sale = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const { data } = await call('POST', '/bookings', { ...sale, Payment: { Method: 'cash' } })
  const reference = data.BookingReference
  const link = new URL(ticketsUrl('http://booking.test', secret, { accountId, reference })).pathname
  await call('PUT', path, { Phone: '+351 282 555 010', Email: 'desk@quay.test' })
  const foot = async (Contact: string) => {
    await call('PUT', '/payment-settings', { Contact })
    return textOf(/<footer>.*<\/footer>/s.exec((await app.inject(link)).body)![0]).trim()
  }
  const once = 'quay +351 282 555 010 desk@quay.test'
  for (const contact of ['+351 282 555 010 or desk@quay.test', '+351282555010', 'desk@quay.test'])
    t.equal(await foot(contact), once)
  t.equal(await foot('Ask at pier 3'), `${once} Ask at pier 3`, 'other text of the contact is shown too')
})

t.test('commands set and show the business details', async (t) => {
  const { cli } = await prepareCommands(t)
  await cli('accounts', 'create', 'quay', '--name', 'Quay')
  const account = ['--account', 'quay']
  const address = details.AddressLines.flatMap((line) => ['--address', line])
  const rest = [
    '--legal-name',
    details.LegalName,
    '--tax-number',
    details.TaxNumber,
    '--phone',
    details.Phone,
  ]
  const look = ['--email', details.Email, '--locale', details.Locale, '--colour', details.Colour]
  const set = await cli('business-details', 'set', ...account, ...address, ...rest, ...look)
  t.match(set, { code: 0, stdout: 'The business details of quay are set.\n' })
  const shown = await cli('business-details', 'show', ...account, '--json')
  t.same(JSON.parse(shown.stdout), [details])
  t.match((await cli('business-details', 'show', ...account)).stdout, 'Rua do Cais 12, 8600-315 Lagos')
  const wrong = await cli('business-details', 'set', ...account, '--phone', 'call me')
  t.match(wrong, { code: 2, stderr: /a phone number, for example/ })
})
