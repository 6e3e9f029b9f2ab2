/** An account in which every route of the dashboard has data, and the form of each route. */

import type { Test } from 'tap'
import { createUser } from '../../src/accounts/users/service.ts'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { createSecretWithin } from '../../src/sales/payment/secrets.ts'
import { makeCaller, makeProduct } from '../helper.ts'
import { makeWorkflow } from '../messaging/emails/fixtures.ts'
import { makeWebhook } from '../messaging/webhooks/making.ts'
import { entry } from '../metering/fixtures.ts'
import { makeThreshold } from '../metering/thresholds/fixtures.ts'
import { logo } from '../security/access.ts'
import { until } from '../until.ts'
import { makeDashboard, password } from './fixtures.ts'

export type World = Awaited<ReturnType<typeof makeWorld>>

/** The name of a route parameter for which `ids` has a value. */
export type RouteParameter = keyof World['ids']

export const secretKey = 'a secret key of thirty-two letters'
const day = '2030-06-15'
const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }

/**
 * Makes two accounts, the first with data for every route. `ids` has the ids of the first account; `stranger` is the
 * owner of the other.
 */
export async function makeWorld(t: Test) {
  const environment = { SECRET_KEY: secretKey, QUEUES_ACCOUNT: 'quay' }
  const dashboard = await makeDashboard(t, { environment })
  const { sql, accountId, signIn, call, book, services } = dashboard
  // On a slow machine, a hold of some minutes may expire before a test uses it.
  await sql`update accounts set hold_minutes = 1440, hold_limit_minutes = 10080`
  const elsewhere = await makeCaller(sql, { slug: 'elsewhere' })
  const [owner, staff] = [await signIn(), await signIn('staff')]
  const stranger = await signIn('owner', 'owner@elsewhere.test', elsewhere)
  const colleague = { accountId, email: 'third@quay.test', role: 'staff', password } as const

  const slots = {
    [`${day} 10:00`]: 8,
    [`${day} 12:00`]: 8,
    [`${day} 14:00`]: 2,
    [`${day} 16:00`]: 8,
    '2030-06-17 10:00': 8,
  }
  const { id: ProductID, activityId } = await makeProduct(sql, accountId, { slots })
  const product = `/products/${ProductID}`
  const question = {
    Label: 'Can you swim?',
    Type: 'text',
    AppliesTo: 'booking',
    Required: false,
    Options: [],
  }
  const asked = await call('PUT', `${product}/questions`, { Questions: [question] })
  await call('POST', '/promotions', { Code: 'TEN', Percent: '10' })
  const unit = { Name: 'Adult', Type: 'ADULT', Price: { Amount: '45.00', Currency: 'EUR' }, Default: true }
  const units = await call('PUT', `${product}/units`, { Units: [unit] })
  const season = { From: '2030-07-01', To: '2030-07-31', Weekdays: ['Mon'], Times: ['10:00'], Capacity: 8 }
  const scheduled = await call('POST', `${product}/schedules`, season)
  const { reference: BookingReference } = await book(activityId, { Date: day, Customer: customer })
  await book(activityId, { Date: day, Time: '14:00' })
  const tickets = await call('POST', `/bookings/${BookingReference}/tickets`)
  const { reference: otherBooking } = await book(activityId, {
    Date: day,
    Time: '16:00',
    Customer: { ...customer, Email: 'leaves@example.com' },
  })
  const party = { ActivityID: activityId, Date: day, Time: '14:00', Participants: 2, Customer: customer }
  const waiting = await call('POST', '/waitlist', party)
  const line = { ActivityID: activityId, Date: day, Time: '12:00', Participants: 2 }
  const basket = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
  const promotion = await call('POST', '/promotions', { Code: 'SPRING', Percent: '10' })
  const other = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
  await sql`
    insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, outcome,
      basket_status, refund_reason)
    values (${accountId}, 'evt_1', '', ${basket.data.BasketID}, 'succeeded', '1.00', 'EUR', 'refund-due', 'open',
      'amount-differs')`

  const overpaid = await sellOverpaid()
  const later = { ...line, Participants: 1, Payment: { Method: 'cash', Amount: '0.00' } }
  const unpaid: string = (await call('POST', '/bookings', later)).data.BookingReference
  const [partner] = (await call('GET', '/partners')).data
  await call('PUT', `/partners/${partner.ID}/terms`, { Terms: [{ ProductID: null, Commission: '20' }] })

  const own = { accountId, partnerId: null }
  const webhook = await makeWebhook(sql, own)
  const ofPartner = await makeWebhook(sql, { accountId, partnerId: partner.ID })
  const webhooks = { account: webhook, partner: ofPartner, other: await makeWebhook(sql, own) }
  const [{ uuid: subscriptionId }] = await sql<[{ uuid: string }]>`
    insert into webhook_endpoints (account_id, partner_id, url, event_types, body, position, highest_position)
    values (${accountId}, ${partner.ID}, 'https://receiver.invalid/octo', '{booking.*}', 'octo', 0, 0)
    returning uuid`
  const idOf = async (found: PromiseLike<readonly { id: number }[]>) => (await found)[0]!.id
  await storeEntries(sql, [entry(accountId, 1)])
  const ids = {
    ProductID,
    BookingReference,
    QuestionID: asked.data[0].ID as number,
    Language: 'pt',
    UnitID: units.data[0].UnitID as number,
    ScheduleID: scheduled.data.Schedule.ID as number,
    WaitlistID: waiting.data.WaitlistID as number,
    BasketID: basket.data.BasketID as number,
    PromotionID: promotion.data.PromotionID as number,
    TimeslotID: await idOf(sql`select id from timeslots where time = '10:00' and date = ${day}`),
    EmailID: await idOf(sql`
      insert into emails (account_id, kind, status, reason, attempts)
      values (${accountId}, 'test', 'failed', '550', 10) returning id`),
    WorkflowID: await makeWorkflow(sql, accountId),
    ThresholdID: await makeThreshold(sql, accountId, 'total', '1000', 'boats'),
    KeyID: await idOf(sql`select id from api_keys where account_id = ${accountId} order by id desc limit 1`),
    SecretID: await idOf(
      sql.begin(async (tx) => {
        await createSecretWithin(tx, secretKey, accountId)
        return tx<{ id: number }[]>`select id from payment_secrets where account_id = ${accountId}`
      }),
    ),
    PartnerID: partner.ID as number,
    EndpointID: webhook.EndpointID,
    DeliveryID: webhook.DeliveryID,
    TicketID: tickets.data[0].TicketID as string,
    PaymentID: 'evt_1',
    TillID: await idOf(sql`
      insert into tills (account_id, user_id, currency, float_minor)
      select account_id, id, 'EUR', 10000 from users where email = 'owner@quay.test' returning id`),
    RefundID: overpaid.RefundID,
    Day: day,
    subscriptionId,
    FeedID: await idOf(sql`
      insert into calendar_feeds (account_id, user_id, hash)
      values (${accountId}, ${owner.userId}, sha256('a secret')) returning id`),
    UserID: await createUser(sql, colleague),
    ID: 1,
  }
  await sql`
    insert into closure_calls (account_id, timeslot_id, booking_id, became)
    select account_id, ${ids.TimeslotID}, id, 'cancelled' from bookings where reference = ${BookingReference}`
  await until(() => services.queue.state().reachable)
  const otherBasket = other.data.BasketID as number
  const heldLine = basket.data.Lines[0].BookingReference as string
  // A timeslot without bookings, so that it can be moved.
  const emptySlot = await idOf(sql`select id from timeslots where date = '2030-06-17'`)
  const others = { emptySlot, webhooks, otherBasket, otherBooking, overpaid, unpaid, heldLine }
  return { ...dashboard, owner, staff, stranger, ids, activityId, ...others }

  /** A sale that is overpaid by 15.00. A refund of 5.00 is due, and the operator has not decided about the rest. */
  async function sellOverpaid() {
    const sale = { ...line, Participants: 1, Payment: { Method: 'cash' } }
    const { BookingReference, BasketID } = (await call('POST', '/bookings', sale)).data
    const [due] = await sql<{ id: number }[]>`
      with more as (
        insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
        values (${accountId}, ${BasketID}, 'payment', 'card', 1500, 'EUR', 'key')
      )
      insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor)
      values (${accountId}, ${BasketID}, 'overpaid', 500, 0, 'EUR', 'due', 'key') returning id`
    return { BookingReference, BasketID, RefundID: due!.id } as {
      BookingReference: string
      BasketID: number
      RefundID: number
    }
  }
}

export type Form = {
  fields?: Record<string, string | string[]>
  /** The page that contains the hidden field Version of the form. */
  version?: string
  /** Whether a field, and not the address, names the object. */
  names?: true
  /** Whether the form ends the session. */
  ends?: true
  /** Ids that replace those of the world. */
  ids?: Partial<World['ids']>
}

/** The form of every route that takes a form, in an order in which all of them can be sent. */
export function formsOf(world: World): Record<string, Form> {
  const {
    ids,
    webhooks: made,
    activityId,
    otherBasket,
    otherBooking,
    overpaid,
    unpaid,
    heldLine,
    emptySlot,
  } = world
  const [names, ends] = [true, true] as const
  const product = {
    Name: 'Canoe',
    DurationMinutes: '60',
    'Price.Amount': '45',
    'Price.Currency': 'EUR',
    TimeZone: 'Europe/Lisbon',
    CancelCutoffMinutes: '0',
    InShopfront: 'true',
    MinPlaces: '1',
    MaxPlaces: '999',
    PricedPer: 'person',
    TakesTimeslot: 'false',
  }
  const question = { Label: 'Can you row?', Type: 'text', AppliesTo: 'booking', Required: 'false' }
  const unit = { Name: 'Grown-up', Type: 'ADULT', 'Price.Amount': '46', Default: 'true' }
  const season = {
    From: '2030-07-01',
    To: '2030-07-31',
    Weekdays: 'Mon',
    Times: '10:00',
    Capacity: '9',
    'ClosedDates[0]': '',
  }
  const workflow = {
    Name: 'Thanks',
    Trigger: 'after-end',
    OffsetMinutes: '60',
    ProductID: '',
    Subject: 'Thank you',
    Body: 'Come again.',
    Active: 'true',
  }
  const party = {
    'Customer.FirstName': 'Grace',
    'Customer.LastName': 'Hopper',
    'Customer.Email': 'g@example.com',
  }
  const [bookings, calendar] = ['/dashboard/bookings/:BookingReference', '/dashboard/calendar']
  const [timeslot, sale] = [`${calendar}/timeslots/:TimeslotID`, '/dashboard/sell/:BasketID']
  const [catalogue, workflows] = ['/dashboard/catalogue', '/dashboard/emails/workflows/:WorkflowID']
  const [units, questions, schedules] = [
    'units/:UnitID',
    'questions/:QuestionID',
    'schedules/:ScheduleID',
  ].map((part) => `${catalogue}/:ProductID/${part}`)
  const [users, partners, promotions] = ['/dashboard/users', '/dashboard/partners', '/dashboard/promotions']
  const webhooks = '/dashboard/webhooks'
  const endpoint = { URL: 'https://quay.test/events', EventTypes: ['booking.*', 'product.*'], Body: 'full' }
  const message = { Subject: 'Pier 3', Body: 'Come to pier 3.' }
  const attendance = { Attendance: 'checked-in' }
  return {
    [`${timeslot}/capacity`]: { fields: { Capacity: '2' } },
    [`${timeslot}/waitlist`]: { fields: { ...party, Participants: '2' } },
    [`${timeslot}/prices`]: { fields: { 'Price-0': '50' } },
    [`${timeslot}/hours`]: {
      fields: { 'OpeningHours[0].Opens': '10:00', 'OpeningHours[0].Closes': '17:00' },
    },
    [`${timeslot}/message/preview`]: { fields: message },
    [`${timeslot}/message`]: { fields: message },
    [`${timeslot}/close`]: {},
    [`${timeslot}/reopen`]: {},
    [`${timeslot}/move`]: {
      fields: { Date: '2030-06-23', Time: '11:00' },
      ids: { TimeslotID: emptySlot },
    },
    '/dashboard/today/:BookingReference/attendance': { fields: { ...attendance, Date: day } },
    '/dashboard/scan': { fields: { Code: ids.TicketID, TimeslotID: '1' }, names },
    [`${bookings}/attendance`]: { fields: { Attendance: '' } },
    [`${bookings}/customer`]: { fields: party },
    [`${bookings}/notes`]: { fields: { InternalNotes: 'Comes back each summer.' } },
    [`${bookings}/tickets`]: {},
    [`${bookings}/tickets/:TicketID/redeem`]: {},
    [`${bookings}/tickets/:TicketID/undo-redeem`]: {},
    [`${bookings}/amend`]: { fields: { Participants: '1' } },
    [`${bookings}/move`]: { fields: { ActivityID: activityId, Date: day, Time: '16:00' } },
    [`${bookings}/payments`]: {
      fields: { Method: 'cash', Amount: '1' },
      ids: { BookingReference: unpaid },
    },
    [`${bookings}/overpaid`]: {
      fields: { 'Refund.Choice': 'full' },
      ids: { BookingReference: overpaid.BookingReference },
    },
    [`${bookings}/resend`]: {},
    [`${bookings}/cancel`]: { fields: { Reason: 'ill', Override: 'true' } },
    '/dashboard/sell': {
      fields: { ActivityID: activityId, Slot: `${day}T12:00`, Participants: '1' },
      names,
    },
    [`${sale}/add`]: {
      fields: { ActivityID: activityId, Slot: `${day}T12:00`, Participants: '1' },
    },
    [`${sale}/lines/:BookingReference/choose`]: { ids: { BookingReference: heldLine } },
    [`${sale}/lines/:BookingReference/change`]: {
      fields: { ActivityID: activityId, Slot: `${day}T12:00`, Participants: '1' },
      ids: { BookingReference: heldLine },
    },
    [`${sale}/lines/:BookingReference/remove`]: { ids: { BookingReference: heldLine } },
    [`${sale}/customer`]: { fields: party },
    [`${sale}/keep`]: { fields: { ...party, Shown: 'x' } },
    [`${sale}/promotion`]: { fields: { Code: 'TEN' } },
    [`${sale}/promotion/remove`]: {},
    [`${sale}/extend`]: {},
    [`${sale}/pay/reduction`]: { fields: { 'Reduction.Percent': '10', 'Reduction.Reason': 'Late start' } },
    [`${sale}/pay/reduction/remove`]: {},
    [`${sale}/pay`]: { fields: { Method: 'cash' } },
    [`${sale}/receipt`]: {},
    [`${sale}/release`]: { ids: { BasketID: otherBasket } },
    '/dashboard/refunds/:RefundID/parts': { fields: { Method: 'cash', Amount: '5.00', Part: '1.00' } },
    '/dashboard/refunds/:RefundID/done': { fields: { Method: 'cash' } },
    '/dashboard/refunds/:RefundID/undo': { fields: { Reason: 'Not paid yet' } },
    '/dashboard/refunds/several': {
      names,
      fields: { 'Refunds[0].RefundID': String(ids.RefundID), 'Refunds[0].Amount': '4.00', Method: 'card' },
    },
    '/dashboard/refunds/payments/:BasketID/:PaymentID/done': {
      fields: { Amount: '1.00', Method: 'transfer' },
    },
    '/dashboard/refunds/payments/:BasketID/:PaymentID/undo': { fields: { Reason: 'Not paid yet' } },
    '/dashboard/till': { fields: { Currency: 'USD', Float: '100' } },
    '/dashboard/till/:TillID/compare': { fields: { Counted: '98' } },
    '/dashboard/till/:TillID/close': { fields: { Counted: '98', Note: 'Gave too much change' } },
    [`${calendar}/timeslots/new`]: {
      fields: { ProductID: String(ids.ProductID), Date: '2030-06-20', Time: '10:00', Capacity: '8' },
      names,
    },
    [`${calendar}/waitlist/:WaitlistID/take`]: {},
    [`${calendar}/waitlist/:WaitlistID/leave`]: {},
    [`${calendar}/feeds`]: { fields: { ProductID: '', ShowsNames: 'true' } },
    [`${calendar}/feeds/:FeedID/revoke`]: {},
    '/dashboard/account/language': { fields: { Locale: 'en-US' } },
    '/dashboard/account/country': { fields: { Country: 'PT' } },
    '/dashboard/business-details': { fields: { AddressLines: 'Rua do Cais 12' } },
    '/dashboard/business-details/logo': { fields: { Image: logo } },
    '/dashboard/business-details/logo/remove': {},
    '/dashboard/payment-settings': { fields: { Contact: 'desk@quay.test' } },
    [`${calendar}/calls/:TimeslotID/:BookingReference`]: { fields: { Done: 'true' } },
    [`${calendar}/reopen`]: { fields: { Date: day, TimeslotIDs: String(ids.TimeslotID) }, names },
    [`${calendar}/closures`]: {
      fields: { Step: 'close', TimeslotID: String(ids.TimeslotID), Action: 'cancel' },
      names,
    },
    [`${catalogue}/:ProductID`]: {
      fields: { ...product, Name: 'Kayak' },
      version: `${catalogue}/:ProductID`,
    },
    [`${catalogue}/:ProductID/shopfront`]: { fields: { InShopfront: 'false' } },
    [units!]: { fields: unit, version: units! },
    [`${units}/place`]: { fields: { Do: 'up' }, version: units! },
    [`${catalogue}/:ProductID/refund-terms`]: {
      fields: { 'RefundTerms[0].Percent': '50', 'RefundTerms[0].HoursBefore': '24' },
      version: `${catalogue}/:ProductID/refund-terms`,
    },
    [`${catalogue}/:ProductID/translations/:Language`]: {
      fields: { Name: 'Caiaque' },
      version: `${catalogue}/:ProductID/translations/:Language`,
    },
    [promotions]: { fields: { Code: 'NEW', Percent: '5' } },
    [`${promotions}/:PromotionID`]: { fields: { Percent: '15' }, version: `${promotions}/:PromotionID` },
    [`${promotions}/:PromotionID/active`]: { fields: { Active: 'false' } },
    [questions!]: { fields: question, version: questions! },
    [`${questions}/place`]: { fields: { Do: 'remove' }, version: questions! },
    [`${schedules}/preview`]: { fields: season, version: schedules! },
    [schedules!]: { fields: season, version: schedules! },
    [`${schedules}/end`]: { version: schedules! },
    [catalogue]: { fields: product },
    '/dashboard/emails/:EmailID/retry': {},
    [`${workflows}/preview`]: { fields: workflow, version: workflows },
    [workflows]: { fields: workflow, version: workflows },
    [`${workflows}/active`]: { fields: { Active: 'false' } },
    [`${workflows}/test`]: {},
    [`${workflows}/delete`]: {},
    '/dashboard/usage/entries/:ID/void': { fields: { Reason: 'sent twice' } },
    '/dashboard/usage/thresholds': { fields: { Meter: 'boats', Period: 'day', Threshold: '50' } },
    '/dashboard/usage/thresholds/:ThresholdID/remove': {},
    '/dashboard/health/rejects/retry': {},
    [users]: { fields: { Email: 'fourth@quay.test', Role: 'staff' } },
    [`${users}/:UserID/password`]: {},
    [`${users}/:UserID/role`]: { fields: { Role: 'owner' } },
    [`${users}/:UserID/disable`]: {},
    [`${users}/:UserID/enable`]: {},
    [`${users}/:UserID/sign-out`]: {},
    [`${partners}/:PartnerID/terms`]: {
      fields: { Commission: '25' },
      version: `${partners}/:PartnerID/terms`,
    },
    [`${partners}/:PartnerID/terms/remove`]: { version: `${partners}/:PartnerID` },
    [`${partners}/keys`]: { fields: { Partner: 'Viator', Scopes: 'ota' } },
    [`${partners}/keys/:KeyID/rotate`]: {},
    [`${partners}/keys/:KeyID/revoke`]: {},
    [`${partners}/secrets`]: {},
    [`${partners}/secrets/:SecretID/revoke`]: {},
    [webhooks]: { fields: endpoint },
    [`${webhooks}/:EndpointID/settings`]: { fields: endpoint, version: `${webhooks}/:EndpointID/settings` },
    [`${webhooks}/:EndpointID/test`]: {},
    [`${webhooks}/:EndpointID/replay`]: { fields: { FromNumber: '1' } },
    [`${webhooks}/:EndpointID/deliveries/:DeliveryID/again`]: {},
    [`${webhooks}/:EndpointID/secrets`]: {},
    [`${webhooks}/:EndpointID/secrets/:SecretID/delete`]: { ids: { SecretID: made.account.SecretID } },
    [`${webhooks}/:EndpointID/pause`]: {},
    [`${webhooks}/:EndpointID/resume`]: {},
    [`${webhooks}/:EndpointID/delete`]: { ids: { EndpointID: made.other.EndpointID } },
    '/dashboard/customers/:BookingReference/erase': {
      fields: { EvenUpcoming: 'true' },
      ids: { BookingReference: otherBooking },
    },
    '/dashboard/account/password': { fields: { Current: password, New: 'another long password' }, ends },
    '/dashboard/test-mode': {},
    '/dashboard/sign-out': { ends },
    '/dashboard/sign-out-everywhere': { ends },
  }
}

/**
 * The address of a route, with the ids of the world; a parameter without an id becomes `some`. `others`
 * replaces ids.
 */
export function addressOf(world: World, path: string, others: Form['ids'] = {}): string {
  const ids: Partial<World['ids']> = { ...world.ids, ...others }
  return path.replace(/:(\w+)/g, (_, name) => String(ids[name as RouteParameter] ?? 'some'))
}

/** Pages below /dashboard with invalid queries. */
export const wrongQueries = [
  'today?Date=x',
  'bookings?MadeFrom=x&ToPay=no&ProductID=y',
  'bookings?From=2030-06-15&To=2030-06-01',
  'reports?From=x&ProductID=y',
  'refunds?Status=some',
  'sell?ProductID=x',
  'usage?from=x',
  'usage/entries?limit=no',
  'calendar?ProductID=x',
  'till?Cursor=x',
  'emails?Status=x',
]
