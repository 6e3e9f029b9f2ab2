/** Errors in a catalogue file are reported at their places. */
import t from 'tap'
import type { FileProduct } from '../../../src/catalogue/file/schemas.ts'
import { CatalogueFileError, importCatalogue } from '../../../src/catalogue/file/service.ts'
import { theService } from '../../../src/events/actor.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'
import { catalogue, fileProduct } from './fixtures.ts'

async function faultsOf(sql: Sql, accountId: number, document: unknown): Promise<string[]> {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  try {
    await importCatalogue(sql, { accountId, actor: theService }, text, { horizonDays: 30 })
    return []
  } catch (error) {
    if (!(error instanceof CatalogueFileError)) throw error
    return error.faults.map(({ pointer, message }) => `${pointer}: ${message}`)
  }
}

const slot = { Date: '2030-06-15', Time: '10:00', Capacity: 5 }
const [schedule] = fileProduct().Schedules
const [question] = fileProduct().Questions

/** Changes of a valid product, each with the errors that it causes. */
const wrongProducts: [what: string, product: object, faults: string[]][] = [
  ['a missing field', { Price: undefined }, ['/Price: is missing']],
  ['a misspelt field', { Nmae: 'x' }, ['/Nmae: is not a field of this object']],
  [
    'a misspelt field deeper down',
    { Timeslots: [{ ...slot, Capcity: 2 }] },
    ['/Timeslots/0/Capcity: is not a field of this object'],
  ],
  [
    'a misspelt field of opening hours',
    {
      Timeslots: [{ ...slot, OpeningHours: [{ Opens: '10:00', Closes: '18:00', Close: '17:00' }] }],
      Schedules: [
        { ...schedule, Times: ['09:00'], OpeningHours: [{ Opens: '09:00', Closes: '18:00', To: 'x' }] },
      ],
    },
    [
      '/Timeslots/0/OpeningHours/0/Close: is not a field of this object',
      '/Schedules/0/OpeningHours/0/To: is not a field of this object',
    ],
  ],
  ['a number as text', { DurationMinutes: '120' }, ['/DurationMinutes: must be a whole number']],
  ['null', { ActivityID: null }, ['/ActivityID: must be a string']],
  ['an empty name', { Name: '' }, ['/Name: must have at least 1 character']],
  ['a blank name', { Name: ' \t' }, ['/Name: must not be blank']],
  ['a NUL', { Name: 'a\0b' }, ['/Name: must not contain NUL or lone surrogates']],
  [
    'a lone surrogate',
    { Description: 'a\ud800b' },
    ['/Description: must not contain NUL or lone surrogates'],
  ],
  [
    'a NUL in an option',
    { Questions: [{ ...question, Options: ['Yes', '\0'] }] },
    ['/Questions/0/Options/1: must not contain NUL or lone surrogates'],
  ],
  [
    'an unknown time zone',
    { TimeZone: 'Europe/Atlantis' },
    ['/TimeZone: must be an IANA time zone such as Europe/Lisbon'],
  ],
  [
    'an offset as a time zone',
    { TimeZone: '+01:00' },
    ['/TimeZone: must be an IANA time zone such as Europe/Lisbon'],
  ],
  [
    'an invalid amount',
    { Price: { Amount: '1,50', Currency: 'EUR' } },
    ['/Price/Amount: must be a decimal amount, such as "45.00"'],
  ],
  [
    'an unknown currency',
    { Price: { Amount: '1', Currency: 'EUX' } },
    ['/Price/Currency: must be a currency of ISO 4217'],
  ],
  [
    'more decimals than the currency has',
    { Price: { Amount: '1.005', Currency: 'EUR' } },
    ['/Price/Amount: must be an amount of EUR, which has 2 decimals'],
  ],
  [
    'decimals where there are none',
    { Price: { Amount: '100.5', Currency: 'JPY' } },
    ['/Price/Amount: must be an amount of JPY, which has no decimals'],
  ],
  ['a malformed ActivityID', { ActivityID: 's_123' }, ['/ActivityID: must be s_ and a lower-case UUID']],
  [
    'an unknown type of question',
    { Questions: [{ ...question, Type: 'slider' }] },
    [
      '/Questions/0/Type: must be one of text, textarea, select, checkbox, date, email, phone, signature, file',
    ],
  ],
  [
    'a select without options',
    { Questions: [{ Label: 'a', Type: 'select', Required: true, AppliesTo: 'booking' }] },
    ['/Questions/0/Options: is missing'],
  ],
  [
    'a select with no option',
    { Questions: [{ ...question, Options: [] }] },
    ['/Questions/0/Options: must have at least 1 item'],
  ],
  [
    'a date that is not in the calendar',
    { Timeslots: [{ ...slot, Date: '2030-02-30' }] },
    ['/Timeslots/0/Date: must be a calendar date, YYYY-MM-DD'],
  ],
  [
    'a time past midnight',
    { Timeslots: [{ ...slot, Time: '24:00' }] },
    ['/Timeslots/0/Time: must be a clock time, HH:MM'],
  ],
  [
    'a negative capacity',
    { Timeslots: [{ ...slot, Capacity: -1 }] },
    ['/Timeslots/0/Capacity: must be at least 0'],
  ],
  [
    'a capacity over a million',
    { Timeslots: [{ ...slot, Capacity: 1_000_001 }] },
    ['/Timeslots/0/Capacity: must be at most 1000000'],
  ],
  [
    'a timeslot twice',
    { Timeslots: [slot, { ...slot, Capacity: 6 }] },
    ['/Timeslots/1: has the same date and time as /Products/0/Timeslots/0'],
  ],
  [
    'a time that the clocks skip',
    { Timeslots: [{ ...slot, Date: '2027-03-28', Time: '01:30' }] },
    [
      '/Timeslots/0/Time: does not exist on 2027-03-28 at 01:30 in Europe/Lisbon, whose clocks skip that time',
    ],
  ],
  [
    'an end before the beginning',
    { Schedules: [{ ...schedule, To: '2029-12-31' }] },
    ['/Schedules/0/To: must not be before From, 2030-01-01'],
  ],
  [
    'an unknown weekday',
    { Schedules: [{ ...schedule, Weekdays: ['Mon', 'Lun'] }] },
    ['/Schedules/0/Weekdays/1: must be one of Mon, Tue, Wed, Thu, Fri, Sat, Sun'],
  ],
  [
    'no weekday',
    { Schedules: [{ ...schedule, Weekdays: [] }] },
    ['/Schedules/0/Weekdays: must have at least 1 item'],
  ],
  [
    'a time twice',
    { Schedules: [{ ...schedule, Times: ['10:00', '10:00'] }] },
    ['/Schedules/0/Times: must not repeat an item: [1] and [0] are the same'],
  ],
  [
    'a schedule twice',
    { Schedules: [schedule, { ...schedule, Weekdays: ['Sat', 'Mon'], Capacity: 9 }] },
    ['/Schedules/1: has the same dates, weekdays and times as /Products/0/Schedules/0'],
  ],
]

t.test('a file that is wrong', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)

  for (const [what, changes, expected] of wrongProducts) {
    t.test(`${what} is reported at its place`, async (t) => {
      const product = { ...fileProduct(), ...changes }
      const faults = await faultsOf(sql, accountId, { Products: [product] })
      t.same(
        faults,
        expected.map((fault) => `/Products/0${fault}`),
      )
    })
  }

  t.test('text that is not JSON is an error of the whole file', async (t) => {
    t.match(await faultsOf(sql, accountId, '{"Products": [}'), [/^: must be JSON: a value is missing here/])
    const options = { horizonDays: 30 }
    await t.rejects(importCatalogue(sql, { accountId, actor: theService }, '[]', options), {
      message: 'the catalogue file has 1 error',
    })
  })

  t.test(
    'a repeated field is an error where it occurs again, and the other errors are reported too',
    async (t) => {
      const text = JSON.stringify({ Products: [fileProduct({ DurationMinutes: 0 })] })
      const twice = text.replace('"TimeZone"', '"Name":"Surf","TimeZone"')
      t.same(await faultsOf(sql, accountId, twice), [
        '/Products/0/DurationMinutes: must be at least 1',
        '/Products/0/Name: is given twice in this object',
      ])
    },
  )

  t.test('a document that is not a catalogue is an error of the whole file', async (t) => {
    t.same(await faultsOf(sql, accountId, []), [': must be an object'])
    t.same(await faultsOf(sql, accountId, {}), ['/Products: is missing'])
  })

  t.test('a repeated name or ActivityID is an error of the product that repeats it', async (t) => {
    const ActivityID = 's_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10'
    const file = catalogue(
      { Name: 'Élan', ActivityID },
      { Name: 'Surf' },
      { Name: 'ÉLAN' },
      { Name: 'Sail', ActivityID },
    )
    t.same(await faultsOf(sql, accountId, file), [
      '/Products/2/Name: is already the Name of /Products/0 (upper and lower case count as the same)',
      '/Products/3/ActivityID: is the ActivityID of /Products/0/ActivityID',
    ])
  })

  t.test('errors of every kind are listed together, in the order of the file', async (t) => {
    const file = {
      Products: [
        fileProduct({
          Timeslots: [slot, { ...slot, Date: '2027-03-28', Time: '01:30' }, { ...slot, Time: '9:00' }],
        }),
        fileProduct({ Name: 'KAYAK TOUR', TimeZone: 'Mars', Price: { Amount: '1.23456', Currency: 'XXL' } }),
      ],
    }
    t.match(await faultsOf(sql, accountId, file), [
      /^\/Products\/0\/Timeslots\/1\/Time: does not exist/,
      /^\/Products\/0\/Timeslots\/2\/Time: must be a clock time/,
      /^\/Products\/1\/Name: is already the Name of \/Products\/0 \(/,
      /^\/Products\/1\/Price\/Amount: must be a decimal amount/,
      /^\/Products\/1\/TimeZone: must be an IANA time zone/,
    ])
  })

  t.test('all errors of a file are listed, even 150,000', async (t) => {
    const Timeslots = Array.from({ length: 150_000 }, () => ({ ...slot, Date: '2030-02-30' }))
    t.equal((await faultsOf(sql, accountId, catalogue({ Timeslots }))).length, 150_000)
  })

  t.test('none of the invalid files changed anything', async (t) => {
    t.same(await sql`select from products`, [])
    t.same(await sql`select from timeslots`, [])
  })
})

t.test('a file that contradicts the database', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const kayak = await makeProduct(sql, accountId, { name: 'Kayak tour', slots: { '2030-06-15 02:30': 4 } })
  const surf = await makeProduct(sql, accountId, { name: 'Surf' })
  const faults = (...products: Partial<FileProduct>[]) => faultsOf(sql, accountId, catalogue(...products))

  t.test('cannot change an ActivityID', async (t) => {
    t.same(await faults({ ActivityID: 's_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10' }), [
      `/Products/0/ActivityID: must be ${kayak.activityId}, the ActivityID of the product`,
    ])
    t.same(await faults({ ActivityID: surf.activityId }), [
      `/Products/0/ActivityID: must be ${kayak.activityId}, the ActivityID of the product`,
    ])
  })

  t.test('cannot give a new product the ActivityID of another', async (t) => {
    t.same(await faults({ Name: 'Sail', ActivityID: surf.activityId }), [
      '/Products/0/ActivityID: belongs to the product "Surf"',
    ])
  })

  t.test('cannot move a product to a time zone where one of its timeslots does not exist', async (t) => {
    await makeProduct(sql, accountId, { name: 'Night walk', slots: { '2027-03-28 02:30': 4 } })
    t.same(await faults({ Name: 'night walk', TimeZone: 'Europe/Paris' }), [
      '/Products/0/TimeZone: cannot change: the product has a timeslot on 2027-03-28 at 02:30, a local time that clocks in Europe/Paris skip',
    ])
  })
})
