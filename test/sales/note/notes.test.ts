/** Internal notes on bookings. Only users and keys of the operator can read them. */
import t from 'tap'
import { eraseCustomer } from '../../../src/customers/erasing.ts'
import { composeBodies } from '../../../src/messaging/webhooks/bodies/composing.ts'
import { makeDashboard, textOf } from '../../dashboard/fixtures.ts'
import { makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'

const words = 'Comes back each summer.'

async function prepare(t: Parameters<typeof makeDashboard>[0]) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, book, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const { reference } = await book(activityId)
  const writeNote = (InternalNotes: string | null) =>
    call('PUT', `/bookings/${reference}/internal-notes`, { InternalNotes })
  return { ...dashboard, reference, writeNote }
}

t.test('a note is written, changed and removed, also on a cancelled booking', async (t) => {
  const { call, reference, writeNote } = await prepare(t)
  t.match(await writeNote(` ${words} `), { data: { InternalNotes: words } })
  t.match(await call('GET', `/bookings/${reference}`), { data: { InternalNotes: words } })
  await call('POST', `/bookings/${reference}/cancel`, { Override: true })
  t.match(await writeNote('Called twice.'), { data: { InternalNotes: 'Called twice.', Status: 'cancelled' } })
  t.match(await writeNote(null), { data: { InternalNotes: null } })
})

t.test('no event and no webhook contains a note', async (t) => {
  const { sql, accountId, writeNote } = await prepare(t)
  await pumpEvents(sql)
  const [before] = await sql`select count(*) from events`
  await writeNote(words)
  t.match(await sql`select count(*) from events`, [before])
  const [event] = await sql<{ number: number; bookingId: number }[]>`
    select number, booking_id as "bookingId" from events where type = 'booking.confirmed' limit 1`
  const delivery = {
    ...{ accountId, eventNumber: event!.number, partnerId: null, body: 'full', type: 'booking.confirmed' },
    ...{ productId: null, date: null, occurredAt: new Date() },
  }
  const [body] = await composeBodies(sql, [delivery as never])
  t.match(body, '"BookingReference"')
  t.notMatch(body, words)
  t.notMatch(body, 'InternalNotes')
})

t.test(
  'the page of a booking shows a note with its author, and a second writer with an old version gets 409',
  async (t) => {
    const { signIn, reference } = await prepare(t)
    const user = await signIn('staff')
    const path = `/dashboard/bookings/${reference}`
    const [, version] = /name="Version" value="([^"]*)"/.exec((await user.get(path)).body)!
    const Version = version!.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    const first = await user.post(`${path}/notes`, { InternalNotes: words, Version })
    t.equal(first.statusCode, 303)
    t.match(textOf((await user.get(path)).body), new RegExp(`${words} staff@quay.test`))
    const late = await user.post(`${path}/notes`, { InternalNotes: 'Other words', Version })
    t.equal(late.statusCode, 409)
    t.match(late.body, 'Other words')
  },
)

t.test('the notes of a customer are erased with the customer, and no new note can be written', async (t) => {
  const { sql, accountId, writeNote, reference } = await prepare(t)
  await writeNote(words)
  const who = { email: null, phone: null, reference }
  await eraseCustomer(sql, {
    accountId,
    who,
    includeUpcoming: true,
    by: { cause: 'command' },
    dataDir: t.testdir(),
  })
  t.same(await sql`select from booking_notes`, [])
  t.match(await writeNote(words), { status: 409, problem: { type: /customer-erased$/ } })
})
