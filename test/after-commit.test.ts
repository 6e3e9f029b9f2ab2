/** The metrics that a process counts after its transactions commit. */
import t from 'tap'
import { countJobs } from '../workers/counting.ts'
import { jobHandlers } from '../workers/handlers.ts'
import { makeDashboard } from './dashboard/fixtures.ts'
import { bookingBody, bookingPath, build, buildOn, makeCaller, makeProduct } from './helper.ts'
import { scrape, sumOf } from './scrape.ts'

t.test('the metric of booking events counts a sale on the dashboard with the actor `user`', async (t) => {
  const { services, sql, accountId, signIn } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 3 } })
  const events = ['booking.held', 'booking.confirmed']
  // An earlier test of this process may have used the same application.
  const counts = async () => {
    const samples = await scrape(services.metrics)
    return events.map((event) => sumOf(samples, 'booking_events_total', { event, actor: 'user' }) ?? 0)
  }
  const before = await counts()
  const { post } = await signIn('staff')
  const line = { ActivityID: activityId, Slot: '2030-06-15T10:00', Participants: '2' }
  const { location } = (await post('/dashboard/sell', line)).headers
  t.equal((await post(`${location}/customer`, { 'Customer.FirstName': 'Bo' })).statusCode, 303)
  t.equal((await post(`${location}/pay`, { Method: 'cash' })).statusCode, 303)
  const after = await counts()
  for (const [index, event] of events.entries()) t.equal(after[index]! - before[index]!, 1, event)
})

t.test('the worker that numbers events counts the usage that they record, once and by meter', async (t) => {
  const { app, sql, url } = await build(t)
  const { services } = await buildOn(t, url, {}, 'worker')
  const caller = await makeCaller(sql, { partner: 'Tours Online' })
  const { activityId } = await makeProduct(sql, caller.accountId, { slots: { '2030-06-15 10:00': 3 } })
  const payload = bookingBody(activityId)
  await app.inject({ method: 'POST', url: bookingPath, headers: caller.headers, payload })
  countJobs(services.metrics)
  const handlers = jobHandlers(services)
  for (let turn = 0; turn < 2; turn++) await handlers['events.number']({})
  const samples = await scrape(services.metrics)
  const recorded = (meter: string) => sumOf(samples, 'platform_events_recorded_total', { meter })
  t.equal(recorded('order-completed'), 1)
  t.equal(recorded('waitlist-notified'), 0)
  t.equal(sumOf(samples, 'events_unnumbered'), 0)
})
