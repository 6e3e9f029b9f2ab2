/** What a booking's history tells besides what happened, in words. Pure. */
import type { Price } from '../../platform/text/money.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import type { Formats } from '../frame/formats.ts'
import { hereText } from './attendance.ts'
import { people, whenOf } from './booking-words.ts'
import { money } from './party-words.ts'

type BookedSlot = { ProductID?: number; Date: string; Time: string }
type UnitCounts = { UnitID: number; Quantity: number }[]
type Details = {
  From?: BookedSlot | number
  To?: BookedSlot | number
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

/** From where to where, who came or went, by how much, why, which fields. @param names of what the history names. */
export function detailsText(formats: Formats, happening: History[number], names: HistoryNames): string {
  const { From, To, Reason, Override, Fields, Participants, Units, FromUnits, ToUnits } = detailsOf(happening)
  const { Ticket, Tickets, PeopleHere, Amount, Currency, TellCustomer } = detailsOf(happening)
  const { FromTotal, ToTotal, Refund, SetOff } = detailsOf(happening)
  const nameOf = (id: number) => names.units.get(id) ?? 'Person'
  const changed = FromUnits && ToUnits ? unitChanges(FromUnits, ToUnits, nameOf) : ''
  const counted = typeof From === 'number' && typeof To === 'number' ? `${From} → ${To}` : ''
  const partyWords = () => {
    if (Participants === undefined) return Units ? listed(Units, nameOf) : ''
    if (PeopleHere !== undefined) return hereText(formats, { PeopleHere, Participants })
    return Units ? listed(Units, nameOf) : people(formats, Participants)
  }
  const parts = [
    moveText(formats, From, To, names),
    changed || counted,
    partyWords(),
    Ticket === undefined ? '' : `ticket ${formats.number(Ticket)}`,
    Tickets === undefined ? '' : formats.number(Tickets),
    Amount && Currency ? money(formats, { Amount, Currency }) : '',
    FromTotal && ToTotal ? `price: ${money(formats, FromTotal)} → ${money(formats, ToTotal)}` : '',
    Refund ? `to be paid back: ${money(formats, Refund)}` : '',
    SetOff ? `set off against a refund that was due: ${money(formats, SetOff)}` : '',
    Reason ?? '',
    Override ? 'after the cutoff' : '',
    TellCustomer === false ? 'without telling the customer' : '',
    Fields?.map(fieldWords).join(', ') ?? '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}

type MoveEnd = Details['From']

/** A move to another product names both. */
function moveText(formats: Formats, from: MoveEnd, to: MoveEnd, { products }: HistoryNames): string {
  if (typeof from !== 'object' || typeof to !== 'object') return ''
  const named = otherProducts(from, to)?.map((id) => products.get(id)) ?? []
  const places = [from, to].map((slot, index) => {
    return [named[index], whenOf(formats, slot)].filter((part) => part !== undefined).join(', ')
  })
  return places.join(' → ')
}

/** The product before and after a move to another one; null for every other change. */
function otherProducts(from: MoveEnd, to: MoveEnd): [number, number] | null {
  if (typeof from !== 'object' || typeof to !== 'object') return null
  const { ProductID: before } = from
  const { ProductID: after } = to
  return before === undefined || after === undefined || before === after ? null : [before, after]
}

/** `Customer.FirstName` and `Contact.FirstName` as “first name”. */
function fieldWords(field: string): string {
  const name = field.replace(/^(Customer|Contact)\./, '')
  return name === 'Email' ? 'e-mail' : name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

type NameOf = (id: number) => string

function listed(units: UnitCounts, nameOf: NameOf): string {
  return units.map(({ UnitID, Quantity }) => `${Quantity} × ${nameOf(UnitID)}`).join(', ')
}

/** Only of units of which there are more or fewer now. Who bought without units had none: then it lists what there is. */
function unitChanges(from: UnitCounts, to: UnitCounts, nameOf: NameOf): string {
  if (from.length === 0) return listed(to, nameOf)
  const ids = new Set([...from, ...to].map(({ UnitID }) => UnitID))
  const count = (units: UnitCounts, id: number) => units.find(({ UnitID }) => UnitID === id)?.Quantity ?? 0
  const changes = [...ids].filter((id) => count(from, id) !== count(to, id))
  return changes.map((id) => `${nameOf(id)}: ${count(from, id)} → ${count(to, id)}`).join(', ')
}
