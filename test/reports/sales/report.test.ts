/** The report of sales and the statements of partners, as the operator API returns them. */
import t from 'tap'
import { dateIn } from '../../../src/platform/text/calendar.ts'
import { listPeriods, rangeBefore } from '../../../src/reports/sales/report/model.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'
import { settle } from './fixtures.ts'

const euro = (Amount: string) => ({ Amount, Currency: 'EUR' })

t.test(
  'periods are cut at the ends of the range, and seasons begin in March, June, September and December',
  async (t) => {
    t.same(listPeriods({ from: '2027-01-30', to: '2027-02-02' }, 'day')!.length, 4)
    t.same(listPeriods({ from: '2027-06-02', to: '2027-06-15' }, 'week'), [
      { from: '2027-06-02', to: '2027-06-06' },
      { from: '2027-06-07', to: '2027-06-13' },
      { from: '2027-06-14', to: '2027-06-15' },
    ])
    t.same(listPeriods({ from: '2027-01-15', to: '2027-03-01' }, 'month'), [
      { from: '2027-01-15', to: '2027-01-31' },
      { from: '2027-02-01', to: '2027-02-28' },
      { from: '2027-03-01', to: '2027-03-01' },
    ])
    t.same(listPeriods({ from: '2027-02-01', to: '2028-01-31' }, 'season'), [
      { from: '2027-02-01', to: '2027-02-28' },
      { from: '2027-03-01', to: '2027-05-31' },
      { from: '2027-06-01', to: '2027-08-31' },
      { from: '2027-09-01', to: '2027-11-30' },
      { from: '2027-12-01', to: '2028-01-31' },
    ])
    t.equal(listPeriods({ from: '2020-01-01', to: '2021-12-31' }, 'day'), null)
    t.equal(listPeriods({ from: '2020-01-01', to: '2030-01-07' }, 'season')!.length, 41)
    t.equal(listPeriods({ from: '2020-01-01', to: '2030-01-08' }, 'season'), null)
    t.same(rangeBefore({ from: '2027-03-01', to: '2027-03-31' }), { from: '2027-01-29', to: '2027-02-28' })
  },
)

t.test('a report', async (t) => {
  const operator = await makeOperator(t)
  const { sql, call, book, accountId } = operator
  const slots = { '2030-06-15 10:00': 10, '2030-06-20 10:00': 10 }
  const kayak = await makeProduct(sql, accountId, { name: 'Kayak', slots })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots })
  await book(kayak.activityId, { Participants: 1 })
  const [partner] = (await call('GET', '/partners')).data
  await call('PUT', `/partners/${partner.ID}/terms`, { Terms: [{ ProductID: null, Commission: '20' }] })
  const booked = await book(kayak.activityId)
  const cancelled = await book(canoe.activityId, { Participants: 3 })
  await call('POST', `/bookings/${cancelled.reference}/cancel`, { Reason: 'ill', Override: true })
  const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
  const place = { ActivityID: canoe.activityId, Date: '2030-06-20', Time: '10:00', Participants: 2 }
  const sold = await call('POST', '/bookings', { ...place, Customer: customer, Payment: { Method: 'cash' } })
  t.equal(sold.status, 201, JSON.stringify(sold.problem))
  await call('POST', `/bookings/${booked.reference}/attendance`, { Attendance: 'no-show' })
  await settle(sql)
  const report = async (query: string) => (await call('GET', `/reports/sales?${query}`)).data
  const june = 'From=2030-06-01&To=2030-06-30&Basis=travel'

  t.test('adds up the bookings that take place in a range, with its periods and occupancy', async (t) => {
    const data = await report(`${june}&By=week`)
    t.match(data, { BeforeFrom: '2030-05-02', BeforeTo: '2030-05-31', CompleteFrom: null, StaleDays: 0 })
    t.match(data.Totals, [
      {
        Currency: 'EUR',
        Figures: {
          ...{ Bookings: 4, Guests: 8, Sold: euro('360.00'), CancelledBookings: 1, CancelledGuests: 3 },
          ...{ Cancelled: euro('135.00'), Revenue: euro('225.00'), NoShowGuests: 2, CheckedInGuests: 0 },
          ...{ Owed: euro('72.00'), Commission: euro('18.00') },
        },
        Before: { Bookings: 0, Revenue: euro('0.00') },
      },
    ])
    t.same(data.Places, { Capacity: 40, Booked: 5 })
    t.same(
      data.Periods.map((period: { From: string; Sums: { Figures: { Bookings: number } }[] }) => [
        period.From,
        period.Sums[0]?.Figures.Bookings,
      ]),
      [
        ['2030-06-01', undefined],
        ['2030-06-03', undefined],
        ['2030-06-10', 3],
        ['2030-06-17', 1],
        ['2030-06-24', undefined],
      ],
    )
  })

  t.test('breaks the same sums down by product, channel, partner, unit and payment method', async (t) => {
    type Group = { Name: string; Figures: { Bookings: number; Revenue: { Amount: string } } }
    const by = async (group: string) => {
      const { Groups } = await report(`${june}&Group=${group}`)
      return Groups.map(({ Name, Figures }: Group) => [Name, Figures.Bookings, Figures.Revenue.Amount])
    }
    t.same(await by('product'), [
      ['Kayak', 2, '135.00'],
      ['Canoe', 2, '90.00'],
    ])
    t.same(await by('channel'), [
      ['partner', 3, '135.00'],
      ['pos', 1, '90.00'],
    ])
    t.same(await by('partner'), [
      ['Viator', 3, '135.00'],
      ['', 1, '90.00'],
    ])
    t.same(await by('unit'), [['', 8, '225.00']])
    const today = dateIn('Europe/Lisbon', new Date())
    const { Groups } = await report(`From=${today}&To=${today}&Group=method`)
    t.match(Groups, [{ Name: 'cash', Figures: { Bookings: 1, Revenue: euro('90.00') } }])
  })

  t.test('can be limited to a product, a channel or a partner', async (t) => {
    const figures = async (filter: string) => (await report(`${june}&${filter}`)).Totals[0].Figures.Bookings
    t.equal(await figures(`ProductID=${kayak.id}`), 2)
    t.equal(await figures('Channel=pos'), 1)
    t.equal(await figures(`PartnerID=${partner.ID}`), 3)
  })

  t.test('compares a range with the same number of days before it', async (t) => {
    const data = await report('From=2030-06-20&To=2030-06-24&Basis=travel')
    t.match(data.Totals, [{ Figures: { Bookings: 1 }, Before: { Bookings: 3, Revenue: euro('135.00') } }])
  })

  t.test('refuses a range that ends before it begins or has too many days', async (t) => {
    for (const query of ['From=2030-06-02&To=2030-06-01', 'From=2020-01-01&To=2030-01-01'])
      t.same(fieldsOf(await call('GET', `/reports/sales?${query}`)), ['To'], query)
    const wrong = await call('GET', '/reports/sales?From=x&To=2030-06-01&By=year&Group=colour&Basis=x')
    t.same(fieldsOf(wrong).sort(), ['Basis', 'By', 'From', 'Group'])
  })

  t.test(
    'for one partner is a statement: the bookings of a month, and the amount that the partner owes',
    async (t) => {
      const path = `/reports/partners/${partner.ID}/statement?Month=2030-06`
      const { data } = await call('GET', path)
      t.match(data.Totals, [
        {
          ...{
            Bookings: 2,
            Guests: 3,
            Total: euro('135.00'),
            Commission: euro('18.00'),
            Owed: euro('72.00'),
          },
          WithoutTerms: euro('45.00'),
        },
      ])
      t.match(
        data.Bookings.map(({ Status, Owed }: { Status: string; Owed: object | null }) => [Status, Owed]),
        [
          ['confirmed', null],
          ['confirmed', euro('72.00')],
          ['cancelled', euro('0.00')],
        ],
      )
      const first = await call('GET', `${path}&Limit=2`)
      const next = /Cursor=([^>&]+)/.exec(String(first.headers.link))![1]
      const second = await call('GET', `${path}&Limit=2&Cursor=${next}`)
      t.equal(first.data.Bookings.length + second.data.Bookings.length, 3)
      t.notOk(second.headers.link)
      t.equal((await call('GET', '/reports/partners/999999/statement?Month=2030-06')).status, 404)
      t.same(fieldsOf(await call('GET', `/reports/partners/${partner.ID}/statement?Month=2030-13`)), [
        'Month',
      ])
      t.equal((await call('GET', `${path}&Cursor=WyJ4IiwieSIsMSwxXQ`)).status, 422)
    },
  )

  t.test('shows another account nothing of this one', async (t) => {
    const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
    const get = (path: string) =>
      operator.app.inject({ url: `/api/v2/operator/reports${path}`, headers: other.headers })
    t.same((await get(`/sales?${june}`)).json().data.Totals, [])
    t.equal((await get(`/partners/${partner.ID}/statement?Month=2030-06`)).statusCode, 404)
  })
})
