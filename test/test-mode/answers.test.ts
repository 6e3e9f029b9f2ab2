/** Responses about test data have `TestMode`, and responses about live data do not. */
import t from 'tap'
import { makeTestPartner, operatorPath, partnerPath } from './quay.ts'

type Shown = { TestMode?: true }

t.test('bookings, baskets, waitlist entries and tickets', async (t) => {
  const world = await makeTestPartner(t)
  const { product, ask, book, live, test } = world
  const line = { ActivityID: product.activityId, Date: '2030-06-16', Time: '10:00', Participants: 1 }
  const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }

  /**
   * Performs many operations. Returns the data of each response (of a list, the first item) by the operation’s name.
   */
  const performAll = async (key: Record<string, string>) => {
    const shown: Record<string, Shown> = {}
    const see = async (what: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
      const answer = await ask(method, path, key, body)
      t.ok(answer.status < 300, `${what}: ${answer.text}`)
      const { data } = answer.body
      shown[what] = Array.isArray(data) ? data[0] : data
      return shown[what] as Shown & { BasketID: number; TicketID: string; WaitlistID: number }
    }
    const payment = { PaymentReference: 'OTA-1' }
    const once = { ...key, 'idempotency-key': 'tour' }
    const booked = await book(once, 'ada@example.com', { Participants: 1, ...payment })
    shown.booking = booked.body.data
    const replayed = await book(once, 'ada@example.com', { Participants: 1, ...payment })
    t.equal(replayed.headers['idempotency-replayed'], 'true')
    shown.replay = replayed.body.data
    const { BookingReference: reference } = booked.body.data
    await see('the partner’s look-up', 'GET', `${partnerPath}/booking/${reference}`)
    await see('the partner’s look-up by payment', 'GET', `${partnerPath}/booking?PaymentReference=OTA-1`)
    await world.number()
    await see('the partner’s change feed', 'GET', `${partnerPath}/booking?UpdatedSince=2020-01-01T00:00:00Z`)
    await see('the operator’s look-up', 'GET', `${operatorPath}/bookings/${reference}`)
    await see('the operator’s list', 'GET', `${operatorPath}/bookings`)
    await see('a move', 'POST', `${operatorPath}/bookings/${reference}/move`, {
      Date: '2030-06-16',
      Time: '10:00',
    })
    const ticket = await see('tickets made', 'POST', `${operatorPath}/bookings/${reference}/tickets`)
    await see('tickets listed', 'GET', `${operatorPath}/bookings/${reference}/tickets`)
    await see('a redemption', 'POST', `${operatorPath}/tickets/${ticket.TicketID}/redeem`)
    await see('a redemption undone', 'POST', `${operatorPath}/tickets/${ticket.TicketID}/undo-redeem`)
    await see('the partner’s cancellation', 'POST', `${partnerPath}/booking/${reference}/cancel`)
    await see('a sale at the till', 'POST', `${operatorPath}/bookings`, {
      ...line,
      Payment: { Method: 'cash' },
    })
    const basket = await see('a basket', 'POST', `${operatorPath}/baskets`, {
      Channel: 'online',
      Lines: [line],
    })
    await see('a basket read', 'GET', `${operatorPath}/baskets/${basket.BasketID}`)
    await see('baskets listed', 'GET', `${operatorPath}/baskets`)
    await see('a basket cancelled', 'POST', `${operatorPath}/baskets/${basket.BasketID}/cancel`)
    t.equal(
      (await book(key, 'grace@example.com', { Time: '12:00' })).status,
      201,
      'this booking fills the timeslot',
    )
    const entry = await see('a waitlist entry', 'POST', `${operatorPath}/waitlist`, {
      ...line,
      Date: '2030-06-15',
      Time: '12:00',
      Customer: customer,
    })
    await see('a waitlist entry read', 'GET', `${operatorPath}/waitlist/${entry.WaitlistID}`)
    await see('the waitlist', 'GET', `${operatorPath}/waitlist`)
    await see('a waitlist entry left', 'POST', `${operatorPath}/waitlist/${entry.WaitlistID}/leave`)
    return shown
  }

  t.test('have TestMode in every response to a test key', async (t) => {
    for (const [what, shown] of Object.entries(await performAll(test))) t.equal(shown.TestMode, true, what)
  })

  t.test('have no TestMode in any response to a live key', async (t) => {
    const ours = await performAll(live)
    for (const [what, shown] of Object.entries(ours)) t.notOk('TestMode' in shown, what)
  })
})
