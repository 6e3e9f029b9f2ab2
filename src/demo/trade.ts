/**
 * Sales of the demo account, so that its pages have something to show. They use the same services as the API
 * and the dashboard. If `npm start` is killed before all are made, the next start does not make the others.
 */
import type { Caller } from '../accounts/service.ts'
import { createKey, findCaller } from '../accounts/service.ts'
import { toActivityId } from '../catalogue/model.ts'
import { replacePartnerTerms } from '../catalogue/partner-terms/service.ts'
import { byKey, keyActor } from '../events/actor.ts'
import { withoutRequest } from '../http/idempotent-request.ts'
import { createRenderBudget } from '../messaging/emails/render-budget.ts'
import { createWorkflow } from '../messaging/workflows/service.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import { sellAtTill } from '../sales/basket/paying.ts'
import { createBasket } from '../sales/basket/service.ts'
import { cancelBooking, moveBooking } from '../sales/booking/changes/service.ts'
import type { BookingRequest } from '../sales/booking/schemas.ts'
import { createBookingService } from '../sales/booking/service.ts'
import { takeEvent } from '../sales/payment/service.ts'
import { makeTickets, redeem } from '../sales/ticket/service.ts'
import { joinWaitlist } from '../sales/waitlist/service.ts'
import { makeDemoDeskSales } from './desk.ts'
import { sellAroundNow } from './now.ts'
import { nextCustomer, party, places } from './parties.ts'
import {
  type DemoTimeslot,
  findLoneSlot,
  listAllDaySlots,
  listComingSlots,
  listEmptySlots,
  listHealthQuestions,
  listSold,
} from './queries.ts'
import { agreeRefundTerms, refundSome } from './refunds.ts'
import { workflows } from './scenery.ts'
import { storeDemoUsage } from './usage.ts'

/** @param key the demo key, of an account with a catalogue and nothing sold. */
export async function sellDemo(sql: Sql, key: string): Promise<void> {
  const operator = (await findCaller(sql, key))!
  const { accountId } = operator
  for (const workflow of workflows)
    await runAgain(sql, (tx) => createWorkflow(tx, accountId, { workflow, renders: createRenderBudget() }))
  await agreeRefundTerms(sql, operator)
  const coming = await listComingSlots(sql, accountId)
  const slots = coming.slice(0, maxSold)
  const small = slots.reduce((least, slot) => (slot.capacity < least.capacity ? slot : least))
  const [partner] = await sellToPartners(sql, operator, slots)
  await sellParties(sql, operator, partner!)
  await sellVisits(sql, operator, partner!)
  await changeSome(sql, operator, coming)
  await sellFromBaskets(sql, operator, slots)
  const roomy = coming.filter(({ free, id }) => free > 5 && id !== small.id)
  await makeDemoDeskSales(sql, accountId, roomy.slice(0, 1))
  if (roomy[1]) await refundSome(sql, operator, roomy[1])
  await sellOut(sql, operator, small)
  await sellDay(sql, partner!)
  await sellAroundNow(sql, operator, partner!)
  await storeDemoUsage(sql, accountId)
}

// The most timeslots that sellToPartners() and sellFromBaskets() use.
const maxSold = 10
async function makePartner(sql: Sql, accountId: number, name: string): Promise<Caller> {
  const token = await createKey(sql, { accountId, partner: name, scopes: ['ota'], expiresInDays: null })
  return (await findCaller(sql, token))!
}

/**
 * Creates two partners with a commission, and books through them. If a product has a question about health,
 * the first party that each partner books for this product answers it.
 */
async function sellToPartners(sql: Sql, operator: Caller, slots: DemoTimeslot[]): Promise<Caller[]> {
  const partners: Caller[] = []
  for (const [index, name] of ['Wanderwide', 'Isle & Shore Travel'].entries()) {
    const caller = await makePartner(sql, operator.accountId, name)
    const terms = [{ ProductID: null, Commission: index === 0 ? '20' : '15' }]
    const partnerId = caller.partnerId!
    await runAgain(sql, (tx) => replacePartnerTerms(tx, byKey(operator), { partnerId, terms }))
    const asked = new Map(await listHealthQuestions(sql, operator.accountId))
    for (const [number, slot] of slots.filter((_, place) => place % 2 === index).entries()) {
      const question = asked.get(slot.activity)
      asked.delete(slot.activity)
      const health = question && { QuestionID: question, Value: 'Allergic to bee stings; has a pen' }
      const seats = places(slot, 1 + (number % 3))
      await book(sql, caller, {
        ...seats,
        PaymentReference: `OTA-${index + 1}-${1001 + number}`,
        Answers: [...seats.Answers, ...(health ? [health] : [])],
      })
    }
    partners.push(caller)
  }
  return partners
}

function book(sql: Sql, caller: Caller, asked: Omit<BookingRequest, 'Customer'>) {
  return createBookingService(sql).book({
    caller,
    request: { ...asked, Customer: nextCustomer() },
    idempotencyKey: undefined,
    isAwaited: () => true,
  })
}

/**
 * Adults with children on the next empty departure and at the weekend, a family at the till, and two private
 * tours, one of them at the till.
 */
async function sellParties(sql: Sql, operator: Caller, partner: Caller): Promise<void> {
  const empty = await listEmptySlots(sql, operator.accountId)
  const [first, second, ...others] = empty.filter(({ units }) => units)
  const weekend = others.find(({ date }) => [0, 6].includes(new Date(date).getUTCDay()))
  const [boat, otherBoat] = empty.filter(({ units }) => !units)
  const units = [
    first && party(first, { ADULT: 2, CHILD: 1, INFANT: 1 }),
    weekend && party(weekend, { ADULT: 2, CHILD: 2 }),
  ]
  const references: string[] = []
  for (const asked of units)
    if (asked) references.push((await book(sql, partner, asked)).booking.BookingReference)
  await admitSome(sql, operator, references)
  if (boat) await book(sql, partner, places(boat, 6))
  const atTill = [second && party(second, { FAMILY: 1, INFANT: 1 }), otherBoat && places(otherBoat, 4)]
  for (const asked of atTill)
    if (asked)
      await sellAtTill(sql, withoutRequest('demo', operator), byKey(operator), {
        ...asked,
        Customer: nextCustomer(),
        Payment: { Method: 'card' },
      })
}

/** Visits of the museum on its next two days: a family, two seniors at the till, and one person. */
async function sellVisits(sql: Sql, operator: Caller, partner: Caller): Promise<void> {
  const [first, second] = await listAllDaySlots(sql, operator.accountId)
  if (!first || !second) return
  await book(sql, partner, party(first, { ADULT: 2, CHILD: 1 }))
  await sellAtTill(sql, withoutRequest('demo', operator), byKey(operator), {
    ...party(first, { SENIOR: 2 }),
    Customer: nextCustomer(),
    Payment: { Method: 'cash' },
  })
  await book(sql, partner, party(second, { ADULT: 1 }))
}

/** Makes tickets for these bookings, and redeems half of the tickets of the first one. */
async function admitSome(sql: Sql, operator: Caller, references: readonly string[]): Promise<void> {
  const by = { accountId: operator.accountId, actor: keyActor(operator) }
  for (const [index, reference] of references.entries()) {
    const tickets = await makeTickets(sql, { ...by, reference })
    const come = index === 0 ? tickets.slice(0, tickets.length / 2) : []
    for (const { TicketID: ticketId } of come)
      await redeem(sql, withoutRequest('demo', operator), { ...by, ticketId })
  }
}

/** One booking is cancelled and one moved, so that there is history to read. */
async function changeSome(sql: Sql, operator: Caller, coming: DemoTimeslot[]): Promise<void> {
  const { accountId } = operator
  const subject = (reference: string) => ({ accountId, reference, actor: keyActor(operator) })
  const [ill, ...others] = await listSold(sql, accountId)
  if (ill) {
    const cancellation = { by: 'operator', override: true, reason: 'The party rang: they are ill.' } as const
    await cancelBooking(sql, withoutRequest('demo', operator), subject(ill.reference), cancellation)
  }
  for (const { reference, activity, timeslotId } of others) {
    const later = coming.find((slot) => slot.activity === activity && slot.id !== timeslotId && slot.free > 3)
    if (!later) continue
    const { date, time } = later
    const target = { activityId: toActivityId(activity), date, time, party: null }
    return void (await moveBooking(sql, withoutRequest('demo', operator), subject(reference), target))
  }
}

/** A family at the till who have paid a deposit, a couple online who have paid, and one basket that is still held. */
async function sellFromBaskets(sql: Sql, operator: Caller, slots: DemoTimeslot[]): Promise<void> {
  const [first, second, third] = [slots[0]!, slots[1] ?? slots[0]!, slots[2] ?? slots[0]!]
  await sellAtTill(sql, withoutRequest('demo', operator), byKey(operator), {
    ...places(first, 3),
    Customer: nextCustomer(),
    Payment: { Method: 'card', Reference: 'T1-000481', Amount: '20.00' },
  })
  const paid = await createBasket(sql, withoutRequest('demo', operator), byKey(operator), {
    Channel: 'online',
    Lines: [places(second, 2)],
    Customer: nextCustomer(),
  })
  const { BasketID, Total } = paid.answer
  await takeEvent(sql, operator.accountId, {
    ID: 'demo-payment-1',
    Account: 'demo',
    Type: 'succeeded',
    BasketID,
    Amount: Total!.Amount,
    Currency: Total!.Currency,
  })
  await createBasket(sql, withoutRequest('demo', operator), byKey(operator), {
    Channel: 'online',
    Lines: [places(third, 1)],
    Customer: nextCustomer(),
  })
}

/** Sells the free places of a timeslot, and adds two parties to its waitlist. */
async function sellOut(sql: Sql, operator: Caller, slot: DemoTimeslot): Promise<void> {
  const left = await listComingSlots(sql, operator.accountId)
  const { free } = left.find(({ id }) => id === slot.id) ?? { free: 0 }
  if (free > 0)
    await sellAtTill(sql, withoutRequest('demo', operator), byKey(operator), {
      ...places(slot, free),
      Customer: nextCustomer(),
      Payment: { Method: 'cash' },
    })
  for (const participants of [2, 1])
    await runAgain(sql, (tx) =>
      joinWaitlist(tx, operator.accountId, keyActor(operator), {
        ...places(slot, participants),
        Customer: nextCustomer(),
      }),
    )
}

/** A school class books all places of a timeslot that is the only one of its product on its day. */
async function sellDay(sql: Sql, partner: Caller): Promise<void> {
  const slot = await findLoneSlot(sql, partner.accountId)
  if (slot) await book(sql, partner, { ...places(slot, slot.capacity), PaymentReference: 'OTA-1-CLASS' })
}
