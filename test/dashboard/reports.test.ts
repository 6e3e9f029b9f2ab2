/**
 * The pages of reports: figures beside those of the days before, CSV files, and the statement of a partner.
 */
import t from 'tap'
import { addDays } from '../../src/platform/text/calendar.ts'
import { makeProduct } from '../helper.ts'
import { settle } from '../reports/sales/fixtures.ts'
import { makeDashboard, textOf } from './fixtures.ts'

t.test('reports', async (t) => {
  const { sql, accountId, signIn, call, book } = await makeDashboard(t)
  const slots = {
    '2030-06-15 10:00': 10,
    '2030-06-20 10:00': 10,
    '2030-07-01 10:00': 10,
    '2030-08-01 10:00': 10,
  }
  const { activityId } = await makeProduct(sql, accountId, { name: '=Kayak', slots })
  await book(activityId)
  const [partner] = (await call('GET', '/partners')).data
  await call('PUT', `/partners/${partner.ID}/terms`, { Terms: [{ ProductID: null, Commission: '20' }] })
  const { reference } = await book(activityId, { Date: '2030-06-20', Participants: 3 })
  await settle(sql)
  const [owner, staff] = [await signIn(), await signIn('staff')]
  const week = 'From=2030-06-20&To=2030-06-24&Basis=travel'

  t.test('show revenue and occupancy beside those of the same number of days before', async (t) => {
    const { statusCode, body } = await owner.get(`/dashboard/reports?${week}`)
    t.equal(statusCode, 200)
    t.match(textOf(body), /Revenue €135\.00 The 5 days before: €90\.00 \(\+50 %\)/)
    t.match(textOf(body), /Occupancy 30 % The 5 days before: 20 %/)
    t.match(body, /<svg class="columns"/)
    t.match(textOf(body), /Sold €135\.00 .*Cancelled €0\.00 .*= Revenue €135\.00/, 'the parts and their sum')
    t.match(body, 'href="/dashboard/bookings?From=2030-06-20&#38;To=2030-06-24&#38;Sold=true"')
  })

  t.test('link to the bookings that were counted, and to no others', async (t) => {
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
    const Customer = { FirstName: 'Never', LastName: 'Sold' }
    const held = await call('POST', '/baskets', { Channel: 'pos', Lines: [line], Customer })
    const today = new Date().toISOString().slice(0, 10)
    const [from, to] = [addDays(today, -2), addDays(today, 2)]
    const { body } = await owner.get(`/dashboard/reports?From=${from}&To=${to}&Basis=sold`)
    const path = `/dashboard/bookings?SoldFrom=${from}&SoldTo=${to}`
    t.match(body, `href="${path.replace('&', '&#38;')}"`)
    const list = await owner.get(path)
    t.equal(list.body.match(/href="\/dashboard\/bookings\/\w+"/g)?.length, 2)
    t.notMatch(list.body, held.data.Lines[0].BookingReference)
    t.match(list.body, `name="SoldFrom" value="${from}"`)
    const before = await owner.get(`/dashboard/bookings?SoldFrom=${addDays(today, -9)}&SoldTo=${from}`)
    t.notMatch(before.body, reference)
    const travel = await owner.get('/dashboard/bookings?From=2030-06-15&To=2030-06-15&Sold=true')
    t.notMatch(travel.body, held.data.Lines[0].BookingReference)
    const wrong = await owner.get(`/dashboard/bookings?SoldFrom=${to}&SoldTo=${from}`)
    t.equal(wrong.statusCode, 422)
    await call('POST', `/baskets/${held.data.BasketID}/cancel`, {})
  })

  t.test('refuse an invalid range of days with 422 and an error beside the field', async (t) => {
    const ranges = [
      ['From=2030-06-20&To=2030-06-01', 'To', /must not be before/],
      ['To=soon', 'To', /YYYY-MM-DD/],
      ['From=soon', 'From', /YYYY-MM-DD/],
      ['From=2030-06-20&To=2030-02-30', 'To', /YYYY-MM-DD/],
    ] as const
    for (const [range, field, fault] of ranges) {
      const { statusCode, body } = await owner.get(`/dashboard/reports?${range}`)
      t.equal(statusCode, 422, range)
      const [invalid = ''] = /<input[^>]*aria-invalid="true"[^>]*>.*?<\/p>/s.exec(body) ?? []
      t.match(invalid, `name="${field}"`, range)
      t.match(textOf(invalid), fault, range)
    }
  })

  t.test('can be downloaded as CSV files, in which no text becomes a formula', async (t) => {
    const periods = await owner.get(`/dashboard/reports/periods.csv?${week}`)
    t.match(periods.body, /2030-06-20,2030-06-20,EUR,1,3,135\.00,0,0,0\.00,135\.00,/)
    const groups = await owner.get(`/dashboard/reports/groups.csv?${week}&Group=product`)
    t.match(groups.body, "'=Kayak")
    const methods = await owner.get(`/dashboard/reports/groups.csv?${week}&Group=method`)
    t.match(methods.body, /Method,Currency,Payments,Paid,Refunds,PaidBack,Net,PaymentsBefore,/)
    const units = await owner.get(`/dashboard/reports/groups.csv?${week}&Group=unit`)
    t.match(units.body, /ID,Name,Currency,UnitsSold,GuestsSold,Sold,UnitsCancelled,/)
    const statement = await owner.get(`/dashboard/reports/partners/${partner.ID}/statement.csv?Month=2030-06`)
    t.match(statement.headers['content-disposition'], `"statement-viator-2030-06.csv"`)
    t.match(statement.body, new RegExp(`${reference},confirmed,.*,EUR,135\\.00,27\\.00,108\\.00`))
  })

  t.test('link to the statement of a partner for a month', async (t) => {
    const { body } = await owner.get(`/dashboard/reports?${week}&Group=partner`)
    t.match(body, `/dashboard/reports/partners/${partner.ID}?Month=2030-06`)
    const statement = await owner.get(`/dashboard/reports/partners/${partner.ID}?Month=2030-06`)
    t.match(textOf(statement.body), /activities in June 2030/)
    t.match(textOf(statement.body), /€108\.00/)
    t.match(statement.body, `/dashboard/bookings/${reference}`)
    t.equal((await owner.get('/dashboard/reports/partners/999999?Month=2030-06')).statusCode, 404)
  })

  t.test('say what partners owe, or that it is not known; the CSV file has whole months', async (t) => {
    const { body } = await owner.get('/dashboard/reports/partners.csv?From=2030-06-20&To=2030-06-24')
    t.match(body, /,Viator,2030-06,EUR,2,0,5,225\.00,27\.00,108\.00,90\.00\r\n$/)
    const page = textOf(
      (await owner.get('/dashboard/reports?From=2030-06-15&To=2030-06-15&Basis=travel&Group=partner')).body,
    )
    t.match(page, /Sold by partners without terms €90\.00 The amount that they owe for these is not known/)
    t.match(page, /Viator .*Not known Not known €90\.00/)
    t.notMatch(page, /Owed by partners €/)
    const compared = textOf((await owner.get(`/dashboard/reports?${week}&Group=partner`)).body)
    t.match(compared, /Owed by partners €108\.00 Not known Commission of partners €27\.00 Not known/)
    t.equal((await owner.get('/dashboard/reports/partners.csv?From=2030-06-20')).statusCode, 422)
  })

  t.test('leave the amount that partners owe empty in CSV files if it is not known', async (t) => {
    const sold = await book(activityId, { Date: '2030-08-01' })
    await sql`update bookings set commission_bp = null where reference = ${sold.reference}`
    await settle(sql)
    const file = await owner.get('/dashboard/reports/partners.csv?From=2030-08-01&To=2030-08-31')
    t.match(file.body, /,Viator,2030-08,EUR,1,0,2,90\.00,,,90\.00\r\n$/)
    const day = 'From=2030-06-15&To=2030-06-15&Basis=travel'
    for (const name of ['groups', 'periods']) {
      const { body } = await owner.get(`/dashboard/reports/${name}.csv?${day}&Group=partner`)
      t.match(body, /EUR,1,2,90\.00,.*,0,0,,,90\.00,/, name)
    }
  })

  t.test(
    'show that a partner owes nothing for a cancelled booking that was sold without terms',
    async (t) => {
      const cancelled = await book(activityId, { Date: '2030-07-01', Participants: 1 })
      await call('POST', `/bookings/${cancelled.reference}/cancel`, { By: 'operator' })
      await sql`update bookings set commission_bp = null where reference = ${cancelled.reference}`
      const { body } = await owner.get(`/dashboard/reports/partners/${partner.ID}?Month=2030-07`)
      t.match(textOf(body), /Cancelled .* €45\.00 €0\.00 €0\.00/)
      t.notMatch(textOf(body), 'Not known')
      const file = await owner.get(`/dashboard/reports/partners/${partner.ID}/statement.csv?Month=2030-07`)
      t.match(file.body, `${cancelled.reference},cancelled,`)
      t.match(file.body, /,45\.00,0\.00,0\.00,/)
    },
  )

  t.test('are for owners', async (t) => {
    t.equal((await staff.get('/dashboard/reports')).statusCode, 403)
    t.notMatch((await staff.get('/dashboard/today')).body, 'href="/dashboard/reports"')
  })

  t.test('say which days are still being counted for the first time', async (t) => {
    const textAt = async (filledFrom: string) => {
      await sql`update sales_states set filled_at = null, filled_from = ${filledFrom} where account_id = ${accountId}`
      return textOf((await owner.get(`/dashboard/reports?${week}`)).body)
    }
    t.match(await textAt('2031-12-31'), 'These days are being counted for the first time.')
    t.match(await textAt('2030-06-22'), 'Days before Sat, 22 Jun 2030 are being counted for the first time.')
    t.notMatch(await textAt('2030-06-15'), 'being counted', 'all days that the page shows are counted')
    await sql`update sales_states set filled_at = app_now()`
  })

  t.test('say that figures are being updated while days are still to be counted', async (t) => {
    await sql`insert into sales_marks (account_id, basis, day, product_id) values (${accountId}, 'sold', '2030-01-01', 0)`
    t.match(textOf((await owner.get(`/dashboard/reports?${week}`)).body), /Being updated/)
  })
})

t.test(
  'the file of a statement has no total commission and no amount owed if no booking has terms',
  async (t) => {
    const { sql, accountId, signIn, call, book } = await makeDashboard(t)
    const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 20 } })
    await book(activityId)
    const [partner] = (await call('GET', '/partners')).data
    const owner = await signIn()
    const read = async () =>
      (await owner.get(`/dashboard/reports/partners/${partner.ID}/statement.csv?Month=2030-06`)).body
    t.match(await read(), /\r\nTotal,,,,,,2,EUR,90\.00,,,,\r\n$/)
    await call('PUT', `/partners/${partner.ID}/terms`, { Terms: [{ ProductID: null, Commission: '100' }] })
    await book(activityId, { Participants: 1 })
    t.match(await read(), /\r\nTotal,,,,,,3,EUR,135\.00,45\.00,0\.00,,\r\n$/, 'a known amount of 0 is 0.00')
  },
)

t.test('a report links the no-shows to their bookings, also if others of the party came', async (t) => {
  const { sql, accountId, signIn, call, book } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 20 } })
  const mark = async (Participants: number, attendance: object) => {
    const { reference } = await book(activityId, { Participants })
    await call('POST', `/bookings/${reference}/attendance`, attendance)
    return reference
  }
  const partly = await mark(3, { Attendance: 'checked-in', PeopleHere: 2, PeopleAbsent: 1 })
  const whole = await mark(2, { Attendance: 'no-show' })
  await mark(2, { Attendance: 'checked-in', PeopleHere: 1 })
  const cancelled = await mark(1, { Attendance: 'no-show' })
  await call('POST', `/bookings/${cancelled}/cancel`, { Override: true })
  await settle(sql)
  const { get } = await signIn()
  const june = 'From=2030-06-01&To=2030-06-30'
  const { body } = await get(`/dashboard/reports?${june}&Basis=travel`)
  t.match(textOf(body), /Guests checked in 3 Guests who did not come 3 /)
  const path = `/dashboard/bookings?${june}&Sold=true&NoShow=true`
  t.match(body, `href="${path.replaceAll('&', '&#38;')}"`)
  const list = await get(path)
  const listed = [...list.body.matchAll(/href="\/dashboard\/bookings\/(\w+)"/g)].map(([, one]) => one)
  t.same(listed.sort(), [partly, whole].sort())
  t.match(list.body, /<option value="true" selected>Some or all did not come/)
  const file = (await get(path.replace('bookings?', 'bookings.csv?'))).body.trim().split('\r\n')
  const counts = new Map(file.map((row) => [row.split(',')[0], row.split(',').slice(-2).join()]))
  t.equal(counts.get(partly), '2,1')
  t.equal(counts.get(whole), '0,2')
})
