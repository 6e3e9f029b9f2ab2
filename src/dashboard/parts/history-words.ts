/** The history of a booking in sentences: who did what, and its consequences. Pure. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import type { BookingAction } from '../../events/types.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import { hereText } from './attendance.ts'
import { actorName } from './booking-words.ts'
import { changedFieldsText } from './changed-fields.ts'
import { moneyHistoryText } from './money-history-words.ts'
import { optional, type SentenceValues } from './optional-words.ts'
import { money } from './party-words.ts'
import { dayAndTime } from './slot-words.ts'

type BookedSlot = { ProductID?: number; TimeslotID?: number; Date: string; Time: string }
type UnitCounts = { UnitID: number; Quantity: number }[]
type Details = {
  From?: BookedSlot | number
  To?: BookedSlot | number
  FromParticipants?: number
  ToParticipants?: number
  Reason?: string
  Override?: boolean
  TellCustomer?: boolean
  Fields?: string[]
  Participants?: number
  Units?: UnitCounts
  FromUnits?: UnitCounts
  ToUnits?: UnitCounts
  Ticket?: number
  Tickets?: number
  PeopleHere?: number
  PeopleAbsent?: number
  Arrived?: boolean
  Amount?: string
  Currency?: string
  FromTotal?: Price
  ToTotal?: Price
  Refund?: Price
  SetOff?: Price
}
type History = BookingDetail['History']

const detailsOf = ({ Details }: History[number]) => Details as Details

/** The ids of the units in a history, each once. */
export function unitsIn(history: History): number[] {
  const counts = history
    .map(detailsOf)
    .flatMap(({ Units = [], FromUnits = [], ToUnits = [] }) => [...Units, ...FromUnits, ...ToUnits])
  return [...new Set(counts.map(({ UnitID }) => UnitID))]
}

/**
 * The ids of the products from and to which a booking was moved, each once. Moves within a product are left
 * out.
 */
export function productsIn(history: History): number[] {
  const ids = history.map(detailsOf).flatMap(({ From, To }) => otherProducts(From, To) ?? [])
  return [...new Set(ids)]
}

/** The ids of the timeslots from and to which a booking was moved, each once. */
export function timeslotsIn(history: History): number[] {
  const ends = history.map(detailsOf).flatMap(({ From, To }) => [From, To])
  const ids = ends.flatMap((end) => (typeof end === 'object' ? (end.TimeslotID ?? []) : []))
  return [...new Set(ids)]
}

/** Names by id. `hours` has the opening hours of all-day timeslots only. */
export type HistoryNames = {
  units: ReadonlyMap<number, string>
  products: ReadonlyMap<number, string>
  hours: ReadonlyMap<number, OpeningPeriod[]>
  /** Whether a partner sold the booking. The partner then pays refunds to the customer. */
  isPartners?: boolean
}

type HistoryWords = { t: Texts; names: HistoryNames }

/** For each action, the values of its sentence except the actor. */
const valuesOf: Record<BookingAction, (details: Details, words: HistoryWords) => SentenceValues> = {
  held: partyValue,
  waitlisted: partyValue,
  confirmed: partyValue,
  offered: () => ({}),
  'offer-taken': () => ({}),
  moved: (details, words) => ({
    ...moveOf(details, words),
    ...becauseOf(details),
    ...optional('change', partyChange(details, words)),
  }),
  amended: (details, words) => optional('change', partyChange(details, words)),
  cancelled: becauseOf,
  extended: () => ({}),
  removed: () => ({}),
  expired: () => ({}),
  reduced: ({ Amount, Currency }, { t }) =>
    optional('amount', Amount && Currency ? money(t, { Amount, Currency }) : ''),
  'checked-in': (details, words) => ({
    ...hereOf(details, words),
    isCounted: String(details.Arrived === false),
  }),
  'no-show': () => ({}),
  'attendance-cleared': () => ({}),
  'tickets-made': ({ Tickets = 1 }) => ({ count: Tickets }),
  'ticket-redeemed': (details, words) => ({ ...ticketOf(details, words), ...hereOf(details, words) }),
  'redemption-undone': (details, words) => ({ ...ticketOf(details, words), ...hereOf(details, words) }),
  'ticket-changed': (details, words) => ({
    ...ticketOf(details, words),
    ...optional('fields', changedFieldsText(words.t, details.Fields)),
  }),
  'confirmation-resent': () => ({}),
  messaged: () => ({}),
  'receipt-sent': () => ({}),
  'customer-changed': (details, words) => optional('fields', changedFieldsText(words.t, details.Fields)),
  'customer-erased': () => ({}),
}

/**
 * One event of a history as sentences. If only a newer version knows the action, the sentence names it as it
 * is stored.
 * @param names the names for the ids in the history.
 */
export function historyText(t: Texts, event: History[number], names: HistoryNames): string {
  const actor = actorName(t, event.Actor)
  const ofMoney = moneyHistoryText(t, actor, event)
  if (ofMoney !== null) return asSentences([ofMoney])
  const details = detailsOf(event)
  const { Action: action } = event
  const { isPartners = false } = names
  const did = isKnown(action)
    ? t.say(`history.${action}`, { actor, ...valuesOf[action](details, { t, names }) })
    : t.say('history.other', { actor, action })
  return asSentences([did, ...consequences(t, details, isPartners)])
}

function isKnown(action: string): action is BookingAction {
  return Object.hasOwn(valuesOf, action)
}

function asSentences(texts: readonly string[]): string {
  return texts.map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`)).join(' ')
}

function consequences(t: Texts, details: Details, isPartners: boolean): string[] {
  const { FromTotal, ToTotal, Refund, SetOff, Override, TellCustomer, Reason } = details
  const sentences = [
    Reason && Reason !== 'closure' && t.say('history.reason', { reason: Reason }),
    Override && t.say('history.after-cutoff'),
    FromTotal && ToTotal && t.say('history.price', { from: money(t, FromTotal), to: money(t, ToTotal) }),
    Refund && t.say(isPartners ? 'history.refund.partner' : 'history.refund', { amount: money(t, Refund) }),
    SetOff && t.say('history.set-off', { amount: money(t, SetOff) }),
    TellCustomer === false && t.say('history.not-told'),
  ]
  return sentences.filter((sentence) => typeof sentence === 'string')
}

// The sentence itself names a closure. consequences() adds any other reason, as the user typed it.
function becauseOf({ Reason }: Details): SentenceValues {
  return { isClosure: String(Reason === 'closure') }
}

type MoveEnd = Details['From']

/**
 * A move to another product names both products. All-day timeslots show their opening hours instead of the
 * logged time.
 */
function moveOf({ From, To }: Details, { t, names }: HistoryWords): SentenceValues {
  if (typeof From !== 'object' || typeof To !== 'object') return { ...optional('from', ''), to: '' }
  const products = otherProducts(From, To)?.map((id) => names.products.get(id)) ?? []
  const [from, to] = [From, To].map((slot, index) =>
    [products[index], whenMoved(t, slot, names)].filter((part) => part !== undefined).join(', '),
  )
  return { ...optional('from', from!), to: to! }
}

function whenMoved(t: Texts, { TimeslotID, Date: date, Time: time }: BookedSlot, { hours }: HistoryNames) {
  const openingHours = (TimeslotID !== undefined && hours.get(TimeslotID)) || null
  return dayAndTime(t, { date, time, openingHours })
}

/** The product ids before and after a move to another product; null for every other change. */
function otherProducts(from: MoveEnd, to: MoveEnd): [number, number] | null {
  if (typeof from !== 'object' || typeof to !== 'object') return null
  const { ProductID: before } = from
  const { ProductID: after } = to
  return before === undefined || after === undefined || before === after ? null : [before, after]
}

/**
 * The units whose quantity has changed. Without units, or if all quantities are the same: the number of people.
 * Empty if unknown.
 */
function partyChange(details: Details, words: HistoryWords): string {
  const { From, To, FromParticipants = From, ToParticipants = To, FromUnits, ToUnits } = details
  const { t } = words
  if (FromUnits && ToUnits) {
    // The booking had no units before.
    if (FromUnits.length === 0) return t.say('history.change.units', { units: listed(ToUnits, words) })
    const changes = unitChanges(FromUnits, ToUnits, words)
    if (changes !== '') return t.say('history.change.each', { changes })
  }
  if (typeof FromParticipants !== 'number' || typeof ToParticipants !== 'number') return ''
  return t.say('history.change.people', { from: t.number(FromParticipants), to: t.people(ToParticipants) })
}

function unitChanges(from: UnitCounts, to: UnitCounts, words: HistoryWords): string {
  const { t } = words
  const ids = new Set([...from, ...to].map(({ UnitID }) => UnitID))
  const count = (units: UnitCounts, id: number) => units.find(({ UnitID }) => UnitID === id)?.Quantity ?? 0
  return [...ids]
    .filter((id) => count(from, id) !== count(to, id))
    .map((id) => {
      const [before, after] = [t.number(count(from, id)), t.number(count(to, id))]
      return t.say('history.change.unit', { unit: unitName(id, words), from: before, to: after })
    })
    .join(', ')
}

function unitName(id: number, { t, names }: HistoryWords): string {
  return names.units.get(id) ?? t.say('history.person')
}

function listed(units: UnitCounts, words: HistoryWords): string {
  return units.map(({ UnitID, Quantity }) => `${Quantity} × ${unitName(UnitID, words)}`).join(', ')
}

/** Empty for an event that an earlier version logged without a party. */
function partyValue({ Units, Participants }: Details, words: HistoryWords): SentenceValues {
  if (Units) return optional('party', listed(Units, words))
  return optional('party', Participants === undefined ? '' : words.t.people(Participants))
}

function hereOf({ PeopleHere, PeopleAbsent, Participants }: Details, { t }: HistoryWords): SentenceValues {
  if (PeopleHere === undefined || Participants === undefined) return optional('here', '')
  return optional('here', hereText(t, { PeopleHere, PeopleAbsent, Participants }))
}

function ticketOf({ Ticket = 1 }: Details, { t }: HistoryWords): SentenceValues {
  return { ticket: t.number(Ticket) }
}
