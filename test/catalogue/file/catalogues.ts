/** Random valid catalogue files. */
import fc from 'fast-check'
import type { CatalogueFile, FileProduct, FileSchedule } from '../../../src/catalogue/file/schemas.ts'
import { unitTypes } from '../../../src/catalogue/sale-schemas.ts'
import { questionTypes } from '../../../src/catalogue/schemas.ts'
import { addDays } from '../../../src/platform/text/calendar.ts'
import { everyDay } from './fixtures.ts'

/** The local date on which the catalogues begin; clocks change six days later in Lisbon. */
export const firstDay = '2030-03-25'

const currencies = { EUR: 2, JPY: 0, KWD: 3 } as const
type Currency = keyof typeof currencies

const text = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', maxLength })
    .map((made) => made.replaceAll('\0', '').toWellFormed())
    .filter((made) => made.trim() !== '')
const capacity = fc.integer({ min: 0, max: 50 })
const minutes = (most: number) => fc.integer({ min: 0, max: most })
const clockTime = (minute: number) => new Date(minute * 60_000).toISOString().slice(11, 16)

function amount(currency: Currency): fc.Arbitrary<string> {
  const decimals = currencies[currency]
  return fc.integer({ min: 0, max: 9_999_999 }).map((minor) => (minor / 10 ** decimals).toFixed(decimals))
}

/** Periods in order; the last may end on the next day. */
const openingHours = fc
  .tuple(
    fc.uniqueArray(minutes(1439), { minLength: 2, maxLength: 6 }),
    fc.boolean(),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([times, endsNextDay, share]) => {
    const sorted = times.toSorted((a, b) => a - b).slice(0, times.length - (times.length % 2))
    const closing = Math.floor(share * sorted[0]!)
    if (endsNextDay) sorted[sorted.length - 1] = closing
    return Array.from({ length: sorted.length / 2 }, (_, index) => ({
      Opens: clockTime(sorted[2 * index]!),
      Closes: clockTime(sorted[2 * index + 1]!),
    }))
  })

const questions = fc.array(
  fc
    .record({
      Label: text(30),
      Type: fc.constantFrom(...questionTypes),
      Required: fc.boolean(),
      Options: fc.array(text(10), { minLength: 1, maxLength: 3 }),
      AppliesTo: fc.constantFrom('booking' as const, 'participant' as const),
    })
    .map(({ Options, ...question }) => ({ ...question, ...(question.Type === 'select' && { Options }) })),
  { maxLength: 4 },
)

const refundTerms = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: 8760 }), { maxLength: 4 }),
    fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 4, maxLength: 4 }),
  )
  .map(([hours, percents]) => {
    const rising = percents.toSorted((a, b) => a - b)
    return hours
      .toSorted((a, b) => a - b)
      .map((HoursBefore, index) => ({ HoursBefore, Percent: String(rising[index]) }))
  })

function unitList(Currency: Currency) {
  const unit = fc.record(
    {
      Name: text(20),
      Type: fc.constantFrom(...unitTypes),
      Amount: amount(Currency),
      Places: fc.integer({ min: 0, max: 4 }),
      People: fc.integer({ min: 1, max: 4 }),
      MinAge: fc.integer({ min: 0, max: 10 }),
      MaxAge: fc.integer({ min: 10, max: 150 }),
      MinQuantity: fc.integer({ min: 1, max: 3 }),
      MaxQuantity: fc.integer({ min: 3, max: 9 }),
      isAccompanied: fc.boolean(),
    },
    { requiredKeys: ['Name', 'Type', 'Amount', 'isAccompanied'] },
  )
  const selector = ({ Name }: { Name: string }) => Name.toLowerCase()
  return fc.uniqueArray(unit, { maxLength: 4, selector }).map((units) =>
    units.map(({ Amount, isAccompanied, Places, People, ...unit }, index) => ({
      ...unit,
      Price: { Amount, Currency },
      ...(index > 0 && Places !== undefined && { Places }),
      ...(index > 0 && People !== undefined && { People }),
      ...(index === 0 && { Default: true }),
      ...(index > 0 && isAccompanied && { AccompaniedBy: [units[0]!.Name] }),
    })),
  )
}

/** Own prices of some of the units of a product. */
function ownPrices(names: string[], currency: Currency) {
  const prices = fc.tuple(fc.subarray(names), fc.array(amount(currency), { minLength: 4, maxLength: 4 }))
  const list = prices.map(([some, amounts]) => some.map((Name, index) => ({ Name, Amount: amounts[index]! })))
  return fc.option(list, { nil: undefined, freq: 2 })
}

/** Schedules, some with the same dates and times. */
function scheduleList(names: string[], currency: Currency): fc.Arbitrary<FileSchedule[]> {
  const schedule = fc.record({
    days: fc.tuple(fc.integer({ min: -3, max: 10 }), fc.integer({ min: 0, max: 12 })),
    Weekdays: fc.subarray(everyDay, { minLength: 1 }),
    Capacity: capacity,
    daily: fc.oneof(
      fc
        .uniqueArray(minutes(1439), { minLength: 1, maxLength: 3 })
        .map((times) => ({ Times: times.map(clockTime) })),
      openingHours.map((OpeningHours) => ({ AllDay: true, OpeningHours })),
    ),
    closed: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 4 }),
    UnitPrices: ownPrices(names, currency),
  })
  const list = fc.uniqueArray(schedule, { maxLength: 3, selector: ({ days: [from] }) => from })
  return list.map((schedules) =>
    schedules.map(({ days: [from, length], daily, closed, UnitPrices, ...schedule }) => ({
      ...schedule,
      ...daily,
      From: addDays(firstDay, from),
      To: addDays(firstDay, from + length),
      ClosedDates: closed.map((day) => addDays(firstDay, day)),
      ...(UnitPrices && { UnitPrices }),
    })),
  )
}

function timeslotList(names: string[], currency: Currency): fc.Arbitrary<FileProduct['Timeslots']> {
  const slot = fc.record({
    Date: fc.integer({ min: -5, max: 30 }).map((day) => addDays(firstDay, day)),
    // Clock changes skip only hours before 06:00.
    Time: fc.integer({ min: 360, max: 1380 }).map(clockTime),
    Capacity: capacity,
    closes: fc.option(minutes(1439).map(clockTime)),
    UnitPrices: ownPrices(names, currency),
  })
  const list = fc.uniqueArray(slot, { maxLength: 4, selector: (one) => `${one.Date} ${one.Time}` })
  return list.map((slots) =>
    slots.map(({ closes, UnitPrices, ...slot }) => ({
      ...slot,
      ...(closes && { OpeningHours: [{ Opens: slot.Time, Closes: closes }] }),
      ...(UnitPrices && { UnitPrices }),
    })),
  )
}

/** Translations of some of these texts into some languages. */
function translations(texts: readonly string[]) {
  return fc.subarray(['de', 'pt']).chain((languages) =>
    fc.tuple(
      ...languages.map((Language) =>
        fc.record({
          Language: fc.constant(Language),
          Name: text(40),
          Texts: fc
            .subarray([...new Set(texts)])
            .map((some) => some.map((Text) => ({ Text, Translation: `${Text} ${Language}` }))),
        }),
      ),
    ),
  )
}

function productNamed(Name: string): fc.Arbitrary<FileProduct> {
  return fc.constantFrom<Currency>('EUR', 'JPY', 'KWD').chain((Currency) =>
    fc.tuple(unitList(Currency), amount(Currency), fc.boolean()).chain(([Units, Amount, isByBooking]) => {
      const names = Units.length > 0 ? Units.map((unit) => unit.Name) : ['Person']
      const PricedPer = isByBooking && Units.length === 0 ? ('booking' as const) : ('person' as const)
      const fields = fc.record(
        {
          Name: fc.constant(Name),
          Description: text(40),
          DurationMinutes: fc.integer({ min: 1, max: 3000 }),
          Price: fc.constant(Units[0]?.Price ?? { Amount, Currency }),
          TimeZone: fc.constantFrom('Europe/Lisbon', 'Pacific/Auckland', 'America/St_Johns'),
          InShopfront: fc.boolean(),
          BookingCutoffMinutes: minutes(3000),
          CancelCutoffMinutes: minutes(3000),
          MinPlaces: fc.integer({ min: 1, max: 3 }),
          // The least quantity of a unit takes at most 12 places, and 15 with the unit that must accompany
          // it.
          MaxPlaces: fc.integer({ min: 15, max: 999 }),
          PricedPer: fc.constant(PricedPer),
          TakesTimeslot: fc.boolean().map((takes) => takes && PricedPer === 'booking'),
          Units: fc.constant(Units),
          RefundTerms: refundTerms,
          Questions: questions,
          Translations: translations(Units.map((unit) => unit.Name)),
          Timeslots: timeslotList(names, Currency),
          Schedules: scheduleList(names, Currency),
        },
        { requiredKeys: ['Name', 'DurationMinutes', 'Price', 'TimeZone', 'PricedPer', 'Units'] },
      )
      return fields
    }),
  )
}

export const catalogues: fc.Arbitrary<CatalogueFile> = fc
  .uniqueArray(text(40), { minLength: 1, maxLength: 3, selector: (name) => name.toLowerCase() })
  .chain((names) => fc.tuple(...names.map(productNamed)))
  .map((Products) => ({ Products }))
