/**
 * The rules of a catalogue file that its schema cannot express and that need no data of the account. Pure.
 * existing.ts checks the file against the database.
 */

import { isTimeZone } from '../../platform/text/calendar.ts'
import { findPlaces, type Place } from '../../platform/text/json-places.ts'
import { checkPrice } from '../../platform/text/money.ts'
import { defaultRules, fromRow, type ProductFields } from '../model.ts'
import { checkDaily, checkHoursFrom } from '../opening-hours.ts'
import type { Product } from '../queries.ts'
import { checkRefundTerms } from '../refund-steps.ts'
import { toPattern } from '../schedules/model.ts'
import { type Fault, inPointer, type Located, type Sketch as ParsedProduct } from './parse.ts'
import type { FileProduct, FileTranslation } from './schemas.ts'

const newProduct = { Description: '', InShopfront: false, ...defaultRules }

/**
 * @param existing the existing product; null for a new one.
 * @returns the fields of the product after the import, without its units, questions, timeslots and schedules.
 */
export function completeFields(given: FileProduct, existing: Product | null): ProductFields {
  return { ...(existing ? fromRow(existing) : newProduct), ...given }
}

/**
 * Finds the errors in products that can be found without data of the account. Returns them in no particular
 * order.
 */
export function checkRules(products: ParsedProduct[]): Fault[] {
  const activityIds = products.flatMap(({ pointer, fields }) =>
    fields.ActivityID ? [{ pointer: `${pointer}/ActivityID`, value: fields.ActivityID }] : [],
  )
  return [
    ...products.flatMap(checkProduct),
    ...checkRepetition(activityIds, (activityId) => activityId, 'is the ActivityID of'),
  ]
}

function checkProduct({ pointer, fields, questions, timeslots, schedules }: ParsedProduct): Fault[] {
  const { Name, Description, Price, TimeZone, Units = [], RefundTerms = [], Translations = [] } = fields
  return [
    ...checkText(`${pointer}/Name`, Name),
    ...fault(Name?.trim() === '', `${pointer}/Name`, 'must not be blank'),
    ...checkText(`${pointer}/Description`, Description),
    ...priceFaults(`${pointer}/Price`, Price),
    ...fault(
      TimeZone !== undefined && !isTimeZone(TimeZone),
      `${pointer}/TimeZone`,
      'must be an IANA time zone such as Europe/Lisbon',
    ),
    ...Units.flatMap((unit, index) => checkText(`${pointer}/Units/${index}/Name`, unit.Name)),
    ...checkRefundTerms(RefundTerms).map(({ index, field, message }) => {
      return { pointer: `${pointer}/RefundTerms/${index}/${field}`, message }
    }),
    ...Translations.flatMap((translation, index) =>
      translationFaults(`${pointer}/Translations/${index}`, translation),
    ),
    ...questions.flatMap(({ pointer, value: { Label, Options = [] } }) => [
      ...checkText(`${pointer}/Label`, Label),
      ...Options.flatMap((option, index) => checkText(`${pointer}/Options/${index}`, option)),
    ]),
    ...checkRepetition(timeslots, (slot) => `${slot.Date} ${slot.Time}`, 'has the same date and time as'),
    ...schedules.flatMap(({ pointer, value: { From, To, ...daily } }) => [
      ...fault(To < From, `${pointer}/To`, `must not be before From, ${From}`),
      ...hoursFaults(pointer, checkDaily(daily)),
    ]),
    ...timeslots.flatMap(({ pointer, value: { Time, OpeningHours = [] } }) =>
      hoursFaults(pointer, checkHoursFrom(Time, OpeningHours)),
    ),
    ...checkRepetition(
      schedules,
      (schedule) => JSON.stringify(toPattern(schedule)),
      'has the same dates, weekdays and times as',
    ),
  ]
}

function translationFaults(pointer: string, { Name, Description, Texts = [] }: FileTranslation): Fault[] {
  return [
    ...checkText(`${pointer}/Name`, Name),
    ...checkText(`${pointer}/Description`, Description),
    ...Texts.flatMap(({ Translation }, index) =>
      checkText(`${pointer}/Texts/${index}/Translation`, Translation),
    ),
  ]
}

function hoursFaults(pointer: string, errors: { field: string; message: string }[]): Fault[] {
  return errors.map(({ field, message }) => ({ pointer: `${pointer}/${inPointer(field)}`, message }))
}

function priceFaults(pointer: string, price: FileProduct['Price'] | undefined): Fault[] {
  const wrong = price && checkPrice(price)
  return wrong ? [{ pointer: `${pointer}/${wrong.field}`, message: wrong.message }] : []
}

function checkText(pointer: string, text = ''): Fault[] {
  const storable = !text.includes('\0') && text.isWellFormed()
  return fault(!storable, pointer, 'must not contain NUL or lone surrogates')
}

/** An error for each item that repeats an earlier one. */
function checkRepetition<T>(items: Located<T>[], keyOf: (value: T) => string, relation: string): Fault[] {
  const first = new Map<string, string>()
  return items.flatMap(({ pointer, value }) => {
    const key = keyOf(value)
    const before = first.get(key)
    if (before === undefined) first.set(key, pointer)
    return fault(before !== undefined, pointer, `${relation} ${before}`)
  })
}

function fault(found: boolean, pointer: string, message: string): Fault[] {
  return found ? [{ pointer, message }] : []
}

/** An error with its line and column in the file. */
export type PlacedFault = Place & { pointer: string; message: string }

const byPointer = new Intl.Collator('en', { numeric: true })

/** Finds the line and column of each error, and sorts the errors by them. */
export function placeFaults(text: string, faults: Fault[]): PlacedFault[] {
  const toFind = faults.flatMap(({ pointer, place }) => (place ? [] : pointer))
  const placeOf = toFind.length > 0 ? findPlaces(text, toFind) : null
  return faults
    .map(({ pointer, message, place }) => ({ ...(place ?? placeOf!(pointer)), pointer, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column || byPointer.compare(a.pointer, b.pointer))
}
