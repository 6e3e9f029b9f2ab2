/** Who leaves when a party becomes smaller: tickets, answers and check-ins. */
import t from 'tap'
import { openGate, type Ticket } from '../ticket/fixtures.ts'

async function open(t: Parameters<typeof openGate>[0]) {
  const gate = await openGate(t)
  const { sql, act, read, bookTickets } = gate
  const amend = (reference: string, body: object) => act(reference, 'amend', body)
  const state = async (reference: string) => (await read(`/${reference}`)).json().data
  const makeQuestion = async (label: string, appliesTo: 'booking' | 'participant') => {
    const [row] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      select account_id, id, (select count(*) from questions)::integer + 1, ${label}, 'text', false, '{}', ${appliesTo}
      from products order by id limit 1
      returning id`
    return row!.id
  }
  const bookThree = () => bookTickets({ Participants: 3 })
  return { ...gate, amend, state, makeQuestion, bookThree }
}

const idsOf = (...tickets: (Ticket | undefined)[]) => tickets.map((ticket) => ticket!.TicketID)

t.test('an amendment voids the tickets that it names, and the others stay valid', async (t) => {
  const { bookThree, amend, statuses } = await open(t)
  const { reference, tickets } = await bookThree()
  const Leaving = { TicketIDs: idsOf(tickets[0]) }
  t.equal((await amend(reference, { Participants: 2, Leaving })).statusCode, 200)
  t.same(await statuses(reference), ['void', 'valid', 'valid'])
})

t.test('without TicketIDs, an amendment voids the last ticket that is not redeemed', async (t) => {
  const { bookThree, amend, redeem, statuses } = await open(t)
  const { reference, tickets } = await bookThree()
  await redeem(tickets[2]!)
  await amend(reference, { Participants: 2 })
  t.same(await statuses(reference), ['valid', 'void', 'redeemed'])
})

t.test('an amendment voids a redeemed ticket that it names, and reduces PeopleHere by one', async (t) => {
  const { bookThree, amend, redeem, statuses, state } = await open(t)
  const { reference, tickets } = await bookThree()
  await redeem(tickets[0]!)
  await redeem(tickets[1]!)
  await amend(reference, { Participants: 2, Leaving: { TicketIDs: idsOf(tickets[0]) } })
  t.same(await statuses(reference), ['void', 'redeemed', 'valid'])
  t.match(await state(reference), { Attendance: 'checked-in', PeopleHere: 1, Participants: 2 })
  await amend(reference, { Participants: 1, Leaving: { TicketIDs: idsOf(tickets[1]) } })
  t.match(await state(reference), { Attendance: null, PeopleHere: 0 }, 'nobody of the party is here any more')
})

t.test('422 refuses TicketIDs that are too many, malformed, void or of another booking', async (t) => {
  const { bookThree, amend, statuses } = await open(t)
  const { reference, tickets } = await bookThree()
  const other = await bookThree()
  const field = 'Leaving.TicketIDs'
  for (const [TicketIDs, message] of [
    [idsOf(tickets[0], tickets[1]), /must name at most 1: no more people leave/],
    [idsOf(other.tickets[0]), /must be valid tickets of this booking/],
    [['no ticket'], /must be the ID of a ticket/],
  ] as const) {
    const refused = await amend(reference, { Participants: 2, Leaving: { TicketIDs } })
    t.match(refused.json(), {
      status: 422,
      errors: [{ field: new RegExp(field.replaceAll('.', '\\.')), message }],
    })
  }
  t.same(await statuses(reference), ['valid', 'valid', 'valid'])
  await amend(reference, { Participants: 2 })
  const gone = await amend(reference, { Participants: 1, Leaving: { TicketIDs: idsOf(tickets[2]) } })
  t.equal(gone.statusCode, 422)
})

t.test(
  'the answers of participants who leave are removed, and answers for the whole booking stay',
  async (t) => {
    const { makeQuestion, book, amend, state } = await open(t)
    const [allergy, size, hotel] = [
      await makeQuestion('Any allergy?', 'participant'),
      await makeQuestion('Size?', 'participant'),
      await makeQuestion('Hotel?', 'booking'),
    ]
    const Answers = [
      { QuestionID: allergy, Value: ['Peanuts', '', ''] },
      { QuestionID: size, Value: ['S', 'M', 'L'] },
      { QuestionID: hotel, Value: 'Grand' },
    ]
    const reference = await book({ Participants: 3, Answers })
    await amend(reference, { Participants: 2, Leaving: { Participants: [1] } })
    t.same((await state(reference)).Answers, [
      { QuestionID: size, Value: ['M', 'L'] },
      { QuestionID: hotel, Value: 'Grand' },
    ])
    await amend(reference, { Participants: 1, Leaving: { Participants: [1] } })
    t.same((await state(reference)).Answers, [
      { QuestionID: size, Value: 'L' },
      { QuestionID: hotel, Value: 'Grand' },
    ])
  },
)

t.test(
  '422 refuses Leaving.Participants that are too many, unknown, or given when nobody leaves',
  async (t) => {
    const { book, amend, state } = await open(t)
    const reference = await book({ Participants: 3 })
    for (const [Participants, message] of [
      [[1, 2], /must name 1 of the participants, one for each person who leaves/],
      [[4], /must be from 1 to 3/],
    ] as const) {
      const refused = await amend(reference, { Participants: 2, Leaving: { Participants } })
      t.match(refused.json(), { status: 422, errors: [{ field: 'Leaving.Participants', message }] })
    }
    const grows = await amend(reference, { Participants: 4, Leaving: { Participants: [1] } })
    t.match(grows.json(), { status: 422, errors: [{ message: /must be left out: nobody leaves/ }] })
    t.equal((await state(reference)).Participants, 3)
  },
)

t.test('Leaving.PeopleHere says how many of those who stay are checked in', async (t) => {
  const { book, act, amend, state } = await open(t)
  const reference = await book({ Participants: 3 })
  await act(reference, 'attendance', { Attendance: 'checked-in', PeopleHere: 2 })
  const many = await amend(reference, { Participants: 2, Leaving: { PeopleHere: 3 } })
  t.match(many.json(), { status: 422, errors: [{ field: 'Leaving.PeopleHere', message: /at most 2/ }] })
  await amend(reference, { Participants: 2, Leaving: { PeopleHere: 1 } })
  t.match(await state(reference), { Attendance: 'checked-in', PeopleHere: 1, Participants: 2 })
})

t.test('a refused change leaves the tickets and the number of people as they were', async (t) => {
  const { bookThree, amend, statuses, sql } = await open(t)
  const { reference, tickets } = await bookThree()
  const Leaving = { TicketIDs: idsOf(tickets[0]), Participants: [9] }
  t.equal((await amend(reference, { Participants: 2, Leaving })).statusCode, 422)
  t.same(await statuses(reference), ['valid', 'valid', 'valid'])
  t.match(await sql`select participants from bookings where reference = ${reference}`, [{ participants: 3 }])
})
