/** The history of a booking in sentences: who did what, and its consequences. Pure. */
import type { BookingAction } from '../../events/types.ts'
import { fieldWords } from '../../http/form-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import { peopleText } from '../../sales/booking/bought-view.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import { hereText } from './attendance.ts'
import { actorName, whenOf } from './booking-words.ts'
import { moneyHistoryText } from './money-history-words.ts'
import { money } from './party-words.ts'

type BookedSlot = { ProductID?: number; Date: string; Time: string }
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
  Amount?: string
  Currency?: string
  FromTotal?: Price
  ToTotal?: Price
  Refund?: Price
  SetOff?: Price
}
type History = BookingDetail['History']

const detailsOf = ({ Details }: History[number]) => Details as Details

/** The units that a history names. */
export function unitsIn(history: History): number[] {
  const counts = history
    .map(detailsOf)
    .flatMap(({ Units = [], FromUnits = [], ToUnits = [] }) => [...Units, ...FromUnits, ...ToUnits])
  return [...new Set(counts.map(({ UnitID }) => UnitID))]
}

/** The products between which a booking was moved. */
export function productsIn(history: History): number[] {
  const ids = history.map(detailsOf).flatMap(({ From, To }) => otherProducts(From, To) ?? [])
  return [...new Set(ids)]
}

/** By their ids. */
export type HistoryNames = { units: ReadonlyMap<number, string>; products: ReadonlyMap<number, string> }

type HistoryWords = { t: Texts; names: HistoryNames }

/** What was done, to follow the name of the actor. */
const phrases: Record<BookingAction, (details: Details, words: HistoryWords) => string> = {
  held: (details, words) => `held the places${forParty(details, words)}`,
  waitlisted: (details, words) => `put ${partyOf(details, words) || 'the party'} on the waitlist`,
  confirmed: (details, words) => `confirmed the booking${forParty(details, words)}`,
  offered: () => 'offered the places to the waiting party',
  'offer-taken': () => 'accepted the offered places',
  moved: (details, words) =>
    `moved it${moveOf(details, words)}${becauseOf(details)}${andParty(details, words)}`,
  amended: (details, words) => `changed the party${partyChange(details, words)}`,
  cancelled: (details) => `cancelled the booking${becauseOf(details)}`,
  removed: () => 'removed the booking from its sale',
  expired: () => 'released the places, because the time to pay had ended',
  reduced: ({ Amount, Currency }, { t }) =>
    Amount && Currency ? `reduced the price by ${money(t, { Amount, Currency })}` : 'reduced the price',
  'checked-in': (details, words) => `checked in the party${hereOf(details, words)}`,
  'no-show': () => 'noted that the party did not come',
  'attendance-cleared': () => 'removed the attendance of the party',
  'tickets-made': ({ Tickets = 1 }, { t }) =>
    Tickets === 1 ? 'made 1 ticket' : `made ${t.number(Tickets)} tickets`,
  'ticket-redeemed': (details, words) => `redeemed ${ticketOf(details, words)}${hereOf(details, words)}`,
  'redemption-undone': (details, words) =>
    `undid the redemption of ${ticketOf(details, words)}${hereOf(details, words)}`,
  'ticket-changed': (details, words) =>
    `changed ${fieldsOf(details) || 'the contact'} of ${ticketOf(details, words)}`,
  'confirmation-resent': () => 'sent the confirmation again',
  messaged: () => 'sent a message to everybody on the timeslot',
  'receipt-sent': () => 'sent the receipt',
  'customer-changed': (details) => `changed ${fieldsOf(details) || 'the customer'}`,
  'customer-erased': () => 'erased the customer’s data',
}

/** One event as sentences. An event of a newer version is named as it is stored. @param names the names in the history. */
export function historyText(t: Texts, happening: History[number], names: HistoryNames): string {
  const ofMoney = moneyHistoryText(t, happening)
  if (ofMoney !== null) return asSentences([`${actorName(happening.Actor)} ${ofMoney}`])
  const details = detailsOf(happening)
  const phrase = phrases[happening.Action as BookingAction]
  const did = phrase ? phrase(details, { t, names }) : happening.Action
  const sentences = [`${actorName(happening.Actor)} ${did}`, ...consequences(t, details)]
  return asSentences(sentences)
}

function asSentences(texts: readonly string[]): string {
  return texts.map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`)).join(' ')
}

function consequences(t: Texts, details: Details): string[] {
  const { FromTotal, ToTotal, Refund, SetOff, Override, TellCustomer, Reason } = details
  const sentences = [
    Reason && Reason !== 'closure' && `Reason: ${Reason}`,
    Override && 'It was after the cutoff',
    FromTotal && ToTotal && `The price went from ${money(t, FromTotal)} to ${money(t, ToTotal)}`,
    Refund && `${money(t, Refund)} is to be paid back`,
    SetOff && `${money(t, SetOff)} was set off against a refund that was due`,
    TellCustomer === false && 'The customer was not told',
  ]
  return sentences.filter((sentence) => typeof sentence === 'string')
}

// A closure has its own report; other reasons are in the words of who gave them.
function becauseOf({ Reason }: Details): string {
  return Reason === 'closure' ? ' because of a closure' : ''
}

type MoveEnd = Details['From']

/** A move to another product names both. */
function moveOf({ From, To }: Details, { t, names }: HistoryWords): string {
  if (typeof From !== 'object' || typeof To !== 'object') return ''
  const products = otherProducts(From, To)?.map((id) => names.products.get(id)) ?? []
  const [before, after] = [From, To].map((slot, index) =>
    [products[index], whenOf(t, slot)].filter((part) => part !== undefined).join(', '),
  )
  return ` from ${before} to ${after}`
}

/** The product before and after a move to another one; null for every other change. */
function otherProducts(from: MoveEnd, to: MoveEnd): [number, number] | null {
  if (typeof from !== 'object' || typeof to !== 'object') return null
  const { ProductID: before } = from
  const { ProductID: after } = to
  return before === undefined || after === undefined || before === after ? null : [before, after]
}

function andParty(details: Details, words: HistoryWords): string {
  const change = partyChange(details, words)
  return change && `, and changed the party${change}`
}

/** By number where there are no units; of units only those of which there are more or fewer now. */
function partyChange(details: Details, words: HistoryWords): string {
  const { From, To, FromParticipants = From, ToParticipants = To, FromUnits, ToUnits } = details
  const { t } = words
  if (FromUnits && ToUnits) {
    // Who bought without units had none.
    if (FromUnits.length === 0) return ` to ${listed(ToUnits, words)}`
    const changes = unitChanges(FromUnits, ToUnits, words)
    if (changes !== '') return `: ${changes}`
  }
  if (typeof FromParticipants !== 'number' || typeof ToParticipants !== 'number') return ''
  return ` from ${t.number(FromParticipants)} to ${peopleText(ToParticipants, t.number)}`
}

function unitChanges(from: UnitCounts, to: UnitCounts, words: HistoryWords): string {
  const { number } = words.t
  const ids = new Set([...from, ...to].map(({ UnitID }) => UnitID))
  const count = (units: UnitCounts, id: number) => units.find(({ UnitID }) => UnitID === id)?.Quantity ?? 0
  const changes = [...ids].filter((id) => count(from, id) !== count(to, id))
  return changes
    .map((id) => `${unitName(id, words)} from ${number(count(from, id))} to ${number(count(to, id))}`)
    .join(', ')
}

function unitName(id: number, { names }: HistoryWords): string {
  return names.units.get(id) ?? 'Person'
}

function listed(units: UnitCounts, words: HistoryWords): string {
  return units.map(({ UnitID, Quantity }) => `${Quantity} × ${unitName(UnitID, words)}`).join(', ')
}

/** Empty where an event of an earlier version does not say who. */
function partyOf({ Units, Participants }: Details, words: HistoryWords): string {
  if (Units) return listed(Units, words)
  return Participants === undefined ? '' : peopleText(Participants, words.t.number)
}

function forParty(details: Details, words: HistoryWords): string {
  const party = partyOf(details, words)
  return party && ` for ${party}`
}

function hereOf({ PeopleHere, Participants }: Details, { t }: HistoryWords): string {
  if (PeopleHere === undefined || Participants === undefined) return ''
  return `: ${hereText(t, { PeopleHere, Participants })}`
}

function ticketOf({ Ticket = 1 }: Details, { t }: HistoryWords): string {
  return `ticket ${t.number(Ticket)}`
}

const asList = new Intl.ListFormat('en-GB')

/** `the first name and the e-mail address`. */
function fieldsOf({ Fields = [] }: Details): string {
  const words = Fields.map(fieldWords).map((text) => `the ${text.charAt(0).toLowerCase()}${text.slice(1)}`)
  return asList.format(new Set(words))
}
