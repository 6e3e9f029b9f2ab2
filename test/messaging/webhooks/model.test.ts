/** Rules without a database: pauses between tries, types, and secrets. */
import fc from 'fast-check'
import t from 'tap'
import { secondsUntilNextTry } from '../../../src/messaging/webhooks/deliveries/model.ts'
import { makeWebhookSecret, typesFor } from '../../../src/messaging/webhooks/endpoints/model.ts'

const tries = fc.integer({ min: 1, max: 200 })
const chance = fc.double({ min: 0, max: 1, noNaN: true })

t.test('pauses between tries', async (t) => {
  t.test('grow to six hours, each randomly longer or shorter by up to a fifth', async () => {
    fc.assert(
      fc.property(tries, chance, (nth, random) => {
        const [usual, next] = [secondsUntilNextTry(nth, null, 0.5), secondsUntilNextTry(nth + 1, null, 0.5)]
        const pause = secondsUntilNextTry(nth, null, random)
        return next >= usual && usual <= 6 * 3600 && Math.abs(pause - usual) <= 0.2 * usual + 1e-6
      }),
    )
  })

  t.test(
    'are as long as the receiver asks for, up to an hour, but never shorter than by default',
    async () => {
      fc.assert(
        fc.property(tries, chance, fc.nat(1e9), (nth, random, asked) => {
          const own = secondsUntilNextTry(nth, null, random)
          return secondsUntilNextTry(nth, asked, random) === Math.max(own, Math.min(asked, 3600))
        }),
      )
    },
  )

  t.test('make more than fifteen tries in three days', async (t) => {
    let [seconds, count] = [0, 0]
    while (seconds < 3 * 86_400) seconds += secondsUntilNextTry(++count, null, 1)
    t.ok(count > 15, `${count}`)
  })
})

t.test('partners may choose only types of events that they may see', async (t) => {
  const types = typesFor(3)
  t.ok(
    ['*', 'booking.*', 'booking.confirmed', 'product.changed', 'availability.changed'].every((type) =>
      types.includes(type),
    ),
  )
  t.notOk(
    types.some((type) =>
      /^(basket|payment|refund|email|promotion|waitlist|closure|till|timeslot|partner-terms)\./.test(type),
    ),
  )
  t.notOk(types.includes('booking.customer-erased'))
  t.ok(typesFor(null).includes('booking.customer-erased'))
})

t.test('no secret is made twice', async (t) => {
  const made = Array.from({ length: 100 }, makeWebhookSecret)
  t.equal(new Set(made).size, 100)
  t.ok(made.every((secret) => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret)))
})
