/** The exported document with all data of a customer, and the commands that export and erase the data. */
import t from 'tap'
import { exportCustomer } from '../../src/customers/exporting.ts'
import { toCustomerIdentifier } from '../../src/customers/model.ts'
import { optOut } from '../../src/messaging/emails/service.ts'
import { hashAddress } from '../../src/platform/crypto/address-hash.ts'
import { oneLine, run } from '../command-line.ts'
import { leaveTraces, listTraces, openHarbour, quill, quillIdentifier } from './fixtures.ts'

t.test('an export has a customer’s bookings with their answers, history, e-mails and payments', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, accountId } = harbour
  const { booked, cancelled } = await leaveTraces(t, harbour)
  await sql`
    insert into undone_refunds (account_id, basket_id, refund_id, method, amount, currency, reason, actor)
    select account_id, basket_id, 1, 'cash', '45.00', 'EUR', 'Quillona never came', 'key' from bookings
    where reference = ${cancelled}`
  await optOut(sql, { accountId, hash: hashAddress(quill.Email) })
  const document = await exportCustomer(sql, { id: accountId, slug: 'harbour' }, quillIdentifier)
  t.match(document, { Account: 'harbour', Customer: { UnsubscribedAt: Date } })
  t.equal(document.Bookings.length, 5)
  const findBooking = (reference: string) =>
    document.Bookings.find(({ BookingReference }) => BookingReference === reference)
  t.match(findBooking(booked), {
    Product: 'Kayak',
    Date: '2030-06-15',
    Time: '10:00',
    Participants: 2,
    Partner: 'Viator',
    Customer: { ...quill, Phone: '+351912000777' },
    Answers: [{ Question: 'Allergies?', Value: 'xyzzynuts' }],
    Attendance: 'checked-in',
    History: [
      { Action: 'confirmed', By: 'partner' },
      { Action: 'amended' },
      { Action: 'checked-in' },
      { Action: 'confirmation-resent' },
    ],
    Emails: [
      { Kind: 'confirmation', Status: 'queued' },
      { Kind: 'closure', Reason: /^550/ },
    ],
  })
  t.match(findBooking(cancelled), {
    Status: 'cancelled',
    History: [{}, { Details: { Reason: 'Mrs Xyzzy is ill' } }],
  })
  t.match(findBooking(cancelled)!.UndoneRefunds, [
    { Amount: '45.00', Reason: 'Quillona never came', UndoneAt: Date },
  ])
  t.match(document.Bookings.at(-1), {
    Payments: [{ Amount: '45.00', Reference: 'ch_1', Outcome: 'completed' }],
    Ledger: [{ Type: 'payment', Method: 'online', Amount: '45.00', Reference: 'ch_1' }],
  })
  t.notMatch(JSON.stringify(document), 'Lovelace')
  t.same(
    (await exportCustomer(sql, { id: accountId, slug: 'harbour' }, toCustomerIdentifier({ email: 'a@b.c' })))
      .Bookings,
    [],
  )
})

t.test('commands export a customer’s data, list what to erase, and erase only with --yes', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, url, dataDir } = harbour
  const { booked } = await leaveTraces(t, harbour)
  const cli = (databaseUrl: string, action: string, ...args: string[]) =>
    run(
      { DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
      'customers',
      action,
      '--account',
      'harbour',
      ...args,
    )
  const email = ['--email', quill.Email.toLowerCase()]
  const exported = await cli(url, 'export', ...email)
  t.match(JSON.parse(exported.stdout).Bookings.length, 5)
  t.match(await cli(url, 'erase', ...email, '--yes'), { code: 1, stdout: '', stderr: oneLine })
  t.match(await cli(url, 'erase'), { code: 1, stderr: /--email, --phone/ })
  const preview = await cli(url, 'erase', ...email, '--even-upcoming')
  t.match(preview, { code: 0, stdout: new RegExp(`^Would permanently erase .* 5 bookings.*${booked}`) })
  t.ok((await listTraces(sql)).length > 0)
  const done = await cli(url, 'erase', ...email, '--even-upcoming', '--yes')
  t.match(done, {
    code: 0,
    stdout:
      'Erased the customer’s data in 5 bookings, on 0 other tickets, in 2 e-mails and in 4 stored responses.\n',
  })
  t.same(await listTraces(sql), [])
})
