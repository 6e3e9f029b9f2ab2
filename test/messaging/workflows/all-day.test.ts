/** When workflows are due for all-day timeslots: before the first opening and after the last closing. */
import t, { type Test } from 'tap'
import { sweepWorkflows } from '../../../src/messaging/workflows/sweep.ts'
import { museum } from '../../catalogue/museum.ts'
import { makeBooking, makeWorkflow, openAt } from '../emails/fixtures.ts'

/**
 * Makes an all-day timeslot with a booking, and a workflow with this trigger and an offset of an hour. `due` queues the
 * e-mails that are due at an instant, and returns how many there are.
 */
async function bookAllDay(t: Test, trigger: string, { now = '2030-06-14T10:00Z', day = {} } = {}) {
  const operator = await museum(t, { now })
  const { data } = await operator.open(day)
  await makeWorkflow(operator.sql, operator.accountId, { trigger, offsetMinutes: 60 })
  await makeBooking(operator.sql, operator.accountId, { slot: `${data.Date} ${data.Time}` })
  return { ...operator, due: (instant: string) => sweepWorkflows(openAt(t, operator.url, instant)) }
}

t.test(
  'a reminder is sent before the first opening, and the booking cut-off does not change that',
  async (t) => {
    const { due, cutOff } = await bookAllDay(t, 'before-start')
    await cutOff(1440)
    t.equal(await due('2030-06-15T06:55Z'), 0)
    t.equal(await due('2030-06-15T07:05Z'), 1)
  },
)

t.test('a booking after the first opening gets no reminder', async (t) => {
  const { due } = await bookAllDay(t, 'before-start', { now: '2030-06-15T09:00Z' })
  t.equal(await due('2030-06-15T09:05Z'), 0)
})

t.test('an e-mail after the end is sent after the last closing', async (t) => {
  const { due } = await bookAllDay(t, 'after-end')
  t.equal(await due('2030-06-15T16:55Z'), 0)
  t.equal(await due('2030-06-15T17:05Z'), 1)
})

t.test(
  'an e-mail after the end is also sent for a timeslot of nearly 25 hours, across a clock change',
  async (t) => {
    const OpeningHours = [{ Opens: '23:30', Closes: '23:15' }]
    const day = { Date: '2030-10-26', Time: '23:30', OpeningHours }
    const { due } = await bookAllDay(t, 'after-end', { now: '2030-10-26T10:00Z', day })
    t.equal(await due('2030-10-28T00:10Z'), 0)
    t.equal(await due('2030-10-28T00:20Z'), 1)
  },
)
