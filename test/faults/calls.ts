/** How each kind of operation is sent to the service, and how its response is read. */
import { sign } from '../../src/sales/payment/model.ts'
import type { Answers, Kind, Recorded, Requests } from './history.ts'
import type { World } from './world.ts'

type Http = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: object }
// biome-ignore lint/suspicious/noExplicitAny: the bodies are not validated here; a wrong one fails where it is read.
type Body = any
type Call<K extends Kind> = {
  toRequest(world: World, request: Requests[K]): Http
  read(data: Body, headers: Headers): Answers[K]
}
/** How an operation that records usage is sent, and how its response is read. */
type Recording = {
  toRequest(world: World, request: Recorded): Http
  read(data: Body): { ids: number[] }
}

const ota = '/api/v2/ota/marketplace'
const operator = '/api/v2/operator'
const usage = '/api/v2/usage'
const everyDay = 'from=2020-01-01&to=2100-01-01'
const customer = { FirstName: 'Ada', LastName: 'Lovelace' }
export const usagePerEntry = 0.1

function placesOf({ activityId }: World, { slot, participants }: { slot: string; participants: number }) {
  return { ActivityID: activityId, ...timeOf(slot), Participants: participants }
}

function timeOf(slot: string) {
  const [date, time] = slot.split(' ')
  return { Date: date, Time: time }
}

function entryOf(meter: string, name: string) {
  return { Meter: meter, Usage: usagePerEntry, ExtraInfo: name }
}

function post(path: string, headers: Record<string, string>, body: object): Http {
  return { method: 'POST', path, headers, body }
}

const single: Recording = {
  toRequest: ({ usage: headers }, { meter, entries }) =>
    post(`${usage}/meters`, headers, entryOf(meter, entries[0]!)),
  read: ({ ID }) => ({ ids: [ID] }),
}
const batch: Recording = {
  toRequest: ({ usage: headers }, { meter, entries }) =>
    post(`${usage}/meters/batch`, headers, { Entries: entries.map((name) => entryOf(meter, name)) }),
  read: (accepted: { ID: number }[]) => ({ ids: accepted.map(({ ID }) => ID) }),
}

export const calls: { [K in Kind]: Call<K> } = {
  book: {
    toRequest: (world, { payment, ...line }) =>
      post(`${ota}/booking`, world.partner, {
        ...placesOf(world, line),
        Customer: { ...customer, Email: 'ada@example.com' },
        PaymentReference: payment,
      }),
    read: ({ BookingReference }) => ({ reference: BookingReference }),
  },
  cancel: {
    toRequest: (world, { reference }) => post(`${operator}/bookings/${reference}/cancel`, world.operator, {}),
    read: ({ Status }) => ({ status: Status }),
  },
  move: {
    toRequest: (world, { reference, slot }) =>
      post(`${operator}/bookings/${reference}/move`, world.operator, timeOf(slot)),
    read: (booking) => ({ slot: `${booking.Date} ${booking.Time}` }),
  },
  hold: {
    toRequest: (world, { lines, email }) =>
      post(`${operator}/baskets`, world.operator, {
        Channel: 'online',
        Lines: lines.map((line) => placesOf(world, line)),
        Customer: { ...customer, Email: email },
      }),
    read: ({ BasketID, Total, Lines }) => ({
      basketId: BasketID,
      total: Total.Amount,
      references: Lines.map(({ BookingReference }: Body) => BookingReference),
    }),
  },
  pay: {
    toRequest({ account, secret }, { event, basketId, type, amount }) {
      const body = {
        ID: event,
        Account: account,
        Type: type,
        BasketID: basketId,
        Amount: amount,
        Currency: 'EUR',
      }
      const seconds = Math.floor(Date.now() / 1000)
      const signature = sign(secret, seconds, Buffer.from(JSON.stringify(body)))
      return post('/api/v2/payments/events', { 'payment-signature': signature }, body)
    },
    read: ({ Outcome, BasketStatus }) => ({ outcome: Outcome, basketStatus: BasketStatus }),
  },
  join: {
    toRequest: (world, { email, ...line }) =>
      post(`${operator}/waitlist`, world.operator, {
        ...placesOf(world, line),
        Customer: { ...customer, Email: email },
      }),
    read: ({ WaitlistID, BookingReference }) => ({ waitlistId: WaitlistID, reference: BookingReference }),
  },
  leave: {
    toRequest: (world, { waitlistId }) =>
      post(`${operator}/waitlist/${waitlistId}/leave`, world.operator, {}),
    read: ({ Status }) => ({ status: Status }),
  },
  record: single,
  'record-once': single,
  'record-batch': batch,
  'record-batch-once': batch,
  summarize: {
    toRequest: ({ usage: headers }) => ({ method: 'GET', path: `${usage}/meters?${everyDay}`, headers }),
    read: ({ Meters }, headers) => ({
      pending: headers.get('usage-pending') ?? 'missing',
      events: Object.fromEntries(Meters.map(({ Meter, EventCount }: Body) => [Meter, EventCount])),
    }),
  },
  availability: {
    toRequest: ({ activityId, partner: headers }, { date }) => ({
      method: 'GET',
      path: `${ota}/availability/${activityId}/timeslots?Date=${date}`,
      headers,
    }),
    read: (slots: { StartsAt: string; Time: string; Available: number }[]) => ({
      free: Object.fromEntries(
        slots.map(({ StartsAt, Time, Available }) => [`${StartsAt.slice(0, 10)} ${Time}`, Available]),
      ),
    }),
  },
}
