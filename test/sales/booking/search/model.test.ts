/** How the text of a search is parsed, and which words a booking is found by. */
import t from 'tap'
import { addDays } from '../../../../src/platform/text/calendar.ts'
import { findDay } from '../../../../src/sales/booking/search/days.ts'
import { readSearch, wordsOf } from '../../../../src/sales/booking/search/model.ts'

const today = '2030-06-10'

t.test(
  'a booking with many named tickets is found by its own references, phone number and e-mail address',
  async (t) => {
    const guests = Array.from({ length: 200 }, (_, index) => `Guest${index}`)
    const words = wordsOf(7, {
      names: ['Ada', 'Lovelace', ...guests],
      phones: ['+351912345678', ...guests.map(() => null)],
      emails: ['ada@example.com', ...guests.map((guest) => `${guest}@example.com`)],
      codes: ['7KQ4MXW2PD', 'OTA-77', null, ...guests],
    })
    t.equal(words.length, 100)
    for (const word of [
      'ada',
      'lovelace',
      '#876543219153',
      'ada@example.com',
      '7kq4mxw2pd',
      'ota-77',
      'guest1',
    ])
      t.ok(words.includes(`7/${word}`), word)
  },
)

t.test('a day is read in the ways in which people write it', async (t) => {
  const days: [string, string | null][] = [
    ['2030-06-15', '2030-06-15'],
    ['15 june', '2030-06-15'],
    ['15th of', null],
    ['15th June 2031', '2031-06-15'],
    ['June 15, 2031', '2031-06-15'],
    ['jun 15', '2030-06-15'],
    ['15.6.', '2030-06-15'],
    ['15.06.2031', '2031-06-15'],
    ['15/6/2031', '2031-06-15'],
    ['today', '2030-06-10'],
    ['Tomorrow', '2030-06-11'],
    ['yesterday', '2030-06-09'],
    ['31 june', null],
    ['2030-02-30', null],
    ['06.12.34.56.78', null],
    ['T1-2030-06-15', null],
    ['mayfair 15', null],
  ]
  for (const [text, day] of days) t.equal(findDay(text, today).day, day, text)
})

t.test('a date in numbers has the day first, unless only the month can come first', async (t) => {
  const days: [string, string | null][] = [
    ['28/11/2030', '2030-11-28'],
    ['11/28/2030', '2030-11-28'],
    ['11/28', '2030-11-28'],
    ['11.28.', '2030-11-28'],
    ['11/12/2030', '2030-12-11'],
    ['13/13/2030', null],
    ['2/30/2030', null],
    ['0/28/2030', null],
  ]
  for (const [text, day] of days) t.equal(findDay(text, today).day, day, text)
  for (let day = '2030-01-01'; day < '2031-01-01'; day = addDays(day, 1)) {
    const [, month, ofMonth] = day.split('-') as [string, string, string]
    t.equal(findDay(`${ofMonth}/${month}/2030`, today).day, day)
    if (Number(ofMonth) > 12) t.equal(findDay(`${month}/${ofMonth}/2030`, today).day, day)
  }
})

t.test('the name of a weekday means its next date, or today', async (t) => {
  // 10 June 2030 is a Monday.
  const days: [string, string | null][] = [
    ['wed', '2030-06-12'],
    ['Wednesday', '2030-06-12'],
    ['monday', '2030-06-10'],
    ['sun', '2030-06-16'],
    ['thurs', '2030-06-13'],
    ['sunset', null],
    ['weds-smith', null],
  ]
  for (const [text, day] of days) t.equal(findDay(text, today).day, day, text)
  t.same(findDay('Sat, 15 June kayak', today).day, '2030-06-15')
  t.notMatch(findDay('Sat 15 June kayak', today).rest, 'Sat')
})

t.test('days are read in Portuguese too, with or without accents', async (t) => {
  const days: [string, string | null][] = [
    ['15 de junho', '2030-06-15'],
    ['15 de Junho de 2031', '2031-06-15'],
    ['15 jun. 2031', '2031-06-15'],
    ['1 de março', '2030-03-01'],
    ['1 marco', '2030-03-01'],
    ['5 fev', '2031-02-05'],
    ['hoje', '2030-06-10'],
    ['amanhã', '2030-06-11'],
    ['amanha', '2030-06-11'],
    ['ontem', '2030-06-09'],
    ['quarta-feira', '2030-06-12'],
    ['sábado', '2030-06-15'],
    ['Quinta da Luz', null],
    ['sex', null],
    ['dom', null],
    ['1 marcos', null],
  ]
  for (const [text, day] of days) {
    t.equal(readSearch(1, text, today).day, day, text)
    t.equal(readSearch(1, text.normalize('NFD'), today).day, day, `${text}, decomposed`)
  }
})

t.test('a product, a day and a time are read in any order', async (t) => {
  for (const text of ['kayak wed 9:00', '9:00 kayak wed', 'wed 09:00 kayak', 'kayak 09:00 wed']) {
    const { day, time, terms } = readSearch(1, text, today)
    t.same([day, time, terms.map(({ text }) => text)], ['2030-06-12', '09:00', ['kayak']], text)
  }
  for (const [text, time] of [
    ['3:30 pm', '15:30'],
    ['3:30 PM kayak', '15:30'],
    ['12:05 a.m.', '00:05'],
    ['12 pm', '12:00'],
    ['kayak 9am', '09:00'],
    ['21:30', '21:30'],
  ] as const)
    t.equal(readSearch(1, text, today).time, time, text)
  for (const text of ['13 pm', '5 people', 'pm', '25:00', '9:60', '19:005'])
    t.equal(readSearch(1, text, today).time, null, text)
})

t.test('a day without a year is the date in the last four months, or else the next one', async (t) => {
  t.equal(findDay('5 may', today).day, '2030-05-05')
  t.equal(findDay('5 january', today).day, '2031-01-05')
  t.equal(findDay('28 december', '2030-01-10').day, '2029-12-28')
  t.equal(findDay('29 february', today).day, '2032-02-29')
})

t.test('the rest of a text, besides a day, is searched as phone numbers and words', async (t) => {
  const texts = (text: string) => readSearch(1, text, today).terms.map(({ text }) => text)
  t.same(texts('kayak 15 june'), ['kayak'])
  t.same(texts('Lovelace (212) 555-0123'), ['2125550123', 'lovelace'])
  t.same(texts('+49 (0)171 123 45 67'), ['491711234567'])
  t.same(texts('T1-000482'), ['t1-000482'])
  t.same(texts('482'), ['482'])
  t.same(texts('– & !'), [])
})

t.test('accents, case and apostrophes make no difference', async (t) => {
  const words = wordsOf(7, {
    names: ['Zoë', 'O’Brien-Smith', null],
    phones: ['+49171'],
    emails: [],
    codes: ['T1-48'],
  })
  t.same(words, ['7/t1-48', '7/t1', '7/48', '7/#17194', '7/zoe', '7/obrien', '7/smith', '7/o', '7/brien'])
})

t.test('an e-mail address is found whole and by the words before its @, not by its domain', async (t) => {
  const words = wordsOf(7, { names: [], phones: [], emails: ['Ada.L@Example.com'], codes: [] })
  t.same(words, ['7/ada.l@example.com', '7/ada', '7/l'])
})

t.test('a search word of two letters finds only that whole word', async (t) => {
  const queries = (text: string) => readSearch(1, text, today).terms.map(({ query }) => query)
  t.same(queries('li love'), ["'1/li'", "'1/love':*"])
})

t.test(
  'a text with quotes, a long word and many words makes at most eight terms, each a quoted query',
  async (t) => {
    const { terms } = readSearch(1, `a'b \\ ':* ${'x'.repeat(200)} ${'w '.repeat(50)}`, today)
    t.ok(terms.length <= 8)
    for (const { query } of terms) t.match(query, /^[(']/)
  },
)
