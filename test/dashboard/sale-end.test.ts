/** Pages offer a timeslot for a sale, move or closure while it is on sale, even after it has opened. */
import t, { type Test } from 'tap'
import { clockAt } from '../clock.ts'
import { bookingBody, bookingPath, makeProduct } from '../helper.ts'
import { makeDashboard } from './fixtures.ts'

const hours = [{ Opens: '09:00', Closes: '17:00' }]

/** Makes a museum in Lisbon without timeslots, and a user. By default, it is 11:00 there on 15 June 2030. */
async function makeMuseum(t: Test, now = '2030-06-15T10:00Z') {
  const dashboard = await makeDashboard(t, clockAt(now))
  const { sql, app, accountId, call, partner, signIn } = dashboard
  const { id, activityId } = await makeProduct(sql, accountId, { name: 'Museum' })
  const { get, post } = await signIn('staff')
  const open = async (day: string, OpeningHours = hours) => {
    const fields = { Date: day, Time: OpeningHours[0]!.Opens, Capacity: 8, OpeningHours }
    return (await call('POST', `/products/${id}/timeslots`, fields)).data.ID as number
  }
  return {
    ...{ ...dashboard, productId: id, activityId, get, post, open },
    cutOff: (minutes: number) => call('PATCH', `/products/${id}`, { BookingCutoffMinutes: minutes }),
    /** Returns the timeslots that the till offers when this day is chosen. */
    tillOffers: async (from: string) =>
      offered((await get(`/dashboard/sell?ProductID=${id}&From=${from}`)).body),
    book: async (day: string) => {
      const payload = bookingBody(activityId, { Date: day, Time: '09:00' })
      const answer = await app.inject({ method: 'POST', url: bookingPath, headers: partner.headers, payload })
      return answer.json().data.BookingReference as string
    },
  }
}

/** Returns the timeslots that a page offers, as the values of its choices: 2030-06-15T09:00 or 2030-06-15 09:00. */
function offered(page: string, choice = /value="(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)"/g): string[] {
  return [...page.matchAll(choice)].map(([, value]) => value!)
}

t.test('the till sells a timeslot that has opened, while it is on sale', async (t) => {
  const { open, tillOffers, post, cutOff, activityId } = await makeMuseum(t)
  await open('2030-06-15')
  await open('2030-06-16')
  t.same(await tillOffers('2030-06-15'), ['2030-06-15T09:00', '2030-06-16T09:00'])
  const sell = () =>
    post('/dashboard/sell', { ActivityID: activityId, Slot: '2030-06-15T09:00', Participants: '2' })
  t.equal((await sell()).statusCode, 303)
  await cutOff(361)
  t.same(await tillOffers('2030-06-15'), ['2030-06-16T09:00'])
  t.equal((await sell()).statusCode, 409)
})

t.test(
  'the till sells a timeslot that opened yesterday and is still open, but not when a later day is chosen',
  async (t) => {
    const { open, tillOffers } = await makeMuseum(t, '2030-06-15T00:30Z')
    await open('2030-06-14', [{ Opens: '22:00', Closes: '04:00' }])
    await open('2030-06-14')
    await open('2030-06-15', [{ Opens: '22:00', Closes: '04:00' }])
    await open('2030-06-16', [{ Opens: '22:00', Closes: '00:00' }])
    t.same(await tillOffers('2030-06-15'), ['2030-06-14T22:00', '2030-06-15T22:00', '2030-06-16T22:00'])
    t.same(await tillOffers('2030-06-17'), [])
    t.same(await tillOffers('2020-01-01'), await tillOffers('2030-06-15'), 'past timeslots are not shown')
  },
)

t.test('the till shows timeslots on sale, even after many that are past their cut-off', async (t) => {
  const { sql, accountId, productId, open, tillOffers, cutOff } = await makeMuseum(t)
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${productId}, start::date, start::time, start at time zone 'Europe/Lisbon', 4
    from generate_series('2030-06-15 12:00'::timestamp, '2030-06-16 23:50', '10 minutes') as start`
  await open('2030-06-20')
  await cutOff(3 * 1440)
  t.same(await tillOffers('2030-06-15'), ['2030-06-20T09:00'])
})

t.test(
  'a booking can be moved to a timeslot that has opened, not to one that is no longer on sale',
  async (t) => {
    const { open, get, book, cutOff } = await makeMuseum(t)
    for (const day of ['2030-06-15', '2030-06-16', '2030-06-17']) await open(day)
    const page = `/dashboard/bookings/${await book('2030-06-16')}/move?From=2030-06-15`
    const targets = async () => offered((await get(page)).body, /&#38;Date=([\d-]+)&#38;Time/g)
    t.same(await targets(), ['2030-06-15', '2030-06-17'])
    await cutOff(361)
    t.same(await targets(), ['2030-06-17'])
  },
)

t.test(
  'a closure can move bookings to a timeslot that has opened, not to one that is no longer on sale',
  async (t) => {
    const { open, signIn, cutOff } = await makeMuseum(t)
    await open('2030-06-15')
    const id = await open('2030-06-16')
    await open('2030-06-17')
    const { get } = await signIn('owner')
    const targets = async () => offered((await get(`/dashboard/calendar/closures?TimeslotID=${id}`)).body)
    t.same(await targets(), ['2030-06-15 09:00', '2030-06-17 09:00'])
    await cutOff(361)
    t.same(await targets(), ['2030-06-17 09:00'])
  },
)
