/** Answers to a product's questions through OCTO: for a booking, and for each of its items. */
import t, { type Test } from 'tap'
import { openReseller } from './fixtures.ts'

const capabilities = ['octo/questions']

async function openQuestions(t: Test) {
  const reseller = await openReseller(t)
  const { sql, accountId, id } = reseller
  const makeQuestion = async (label: string, appliesTo: string, position: number) => {
    const [row] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${id}, ${position}, ${label}, 'text', false, '{}', ${appliesTo}) returning id`
    return String(row!.id)
  }
  const hotel = await makeQuestion('Your hotel?', 'booking', 1)
  const height = await makeQuestion('How tall?', 'participant', 2)
  const answers = [{ questionId: hotel, value: 'Ritz' }]
  const unitItems = ['170 cm', '180 cm'].map((value) => {
    return { unitId: '0', questionAnswers: [{ questionId: height, value }] }
  })
  return { ...reseller, hotel, height, answered: { questionAnswers: answers, unitItems } }
}

t.test('a booking shows each answer with its question', async (t) => {
  const { reserve, read, confirm, answered, hotel, height, sql } = await openQuestions(t)
  const booking = await reserve(answered, { capabilities })
  t.match(booking, {
    questionAnswers: [{ questionId: hotel, question: { id: hotel, title: 'Your hotel?' }, value: 'Ritz' }],
    unitItems: [
      { questionAnswers: [{ questionId: height, value: '170 cm' }] },
      { questionAnswers: [{ questionId: height, value: '180 cm' }] },
    ],
  })
  t.notOk('questionAnswers' in (await read(booking.uuid)))
  await confirm(
    booking.uuid,
    {
      questionAnswers: [{ questionId: hotel, value: 'Grand' }],
      contact: { fullName: 'Ada Lovelace' },
    },
    { capabilities },
  )
  const [{ answers }] = (await sql`select answers from bookings`) as unknown as [{ answers: object }]
  t.same(
    answers,
    [
      { QuestionID: Number(height), Value: ['170 cm', '180 cm'] },
      { QuestionID: Number(hotel), Value: 'Grand' },
    ],
    'the stored answers',
  )
})

t.test('without the capability octo/questions, answers are ignored', async (t) => {
  const { reserve, read, answered } = await openQuestions(t)
  const { uuid } = await reserve(answered)
  t.match(await read(uuid, { capabilities }), {
    questionAnswers: [],
    unitItems: [{ questionAnswers: [] }, {}],
  })
})

t.test('an answer to an unknown question, or in the wrong place, is refused', async (t) => {
  const { refused, order, hotel, height } = await openQuestions(t)
  const { error, errorMessage } = await refused(
    'POST',
    '/bookings',
    order({
      questionAnswers: [
        { questionId: '999999', value: 'x' },
        { questionId: height, value: 'x' },
      ],
      unitItems: [{ unitId: '0', questionAnswers: [{ questionId: hotel, value: 'x' }] }],
    }),
    { capabilities },
  )
  t.equal(error, 'BAD_REQUEST')
  for (const field of ['questionAnswers[0]', 'questionAnswers[1]', 'unitItems[0].questionAnswers[0]'])
    t.ok(errorMessage!.includes(`${field}.questionId`), field)
})

t.test('an empty answer removes the earlier one', async (t) => {
  const { reserve, update, answered, hotel } = await openQuestions(t)
  const { uuid } = await reserve(answered, { capabilities })
  const booking = await update(
    uuid,
    { questionAnswers: [{ questionId: hotel, value: '' }] },
    { capabilities },
  )
  t.match(booking, { questionAnswers: [], unitItems: [{ questionAnswers: [{ value: '170 cm' }] }, {}] })
})

t.test('answers stay with their participants when others are added or removed', async (t) => {
  const { reserve, confirm, update, answered, height } = await openQuestions(t)
  const { uuid } = await reserve(answered, { capabilities })
  const { unitItems } = await confirm(uuid, {}, { capabilities })
  const [ana, ben] = unitItems
  const answersOf = (booking: { unitItems: typeof unitItems }) =>
    booking.unitItems.map(({ questionAnswers }) => questionAnswers?.map(({ value }) => value))
  const carl = { unitId: '0', questionAnswers: [{ questionId: height, value: '190 cm' }] }
  const one = await update(uuid, { unitItems: [carl, { uuid: ben!.uuid }] }, { capabilities })
  t.same(answersOf(one), [['180 cm'], ['190 cm']])
  const two = await update(uuid, { unitItems: [{ uuid: ben!.uuid }, { unitId: '0' }] }, { capabilities })
  t.same(answersOf(two), [['180 cm'], []])
  t.not(one.unitItems[0]!.uuid, ana!.uuid)
})

t.test('an answer that is not one of the choices is refused, and the error lists the choices', async (t) => {
  const { sql, reserve, order, refused, hotel } = await openQuestions(t)
  await sql`update questions set type = 'select', options = '{Ritz,Plaza}' where id = ${hotel}`
  const asked = (value: string) => ({ questionAnswers: [{ questionId: hotel, value }] })
  t.match(await refused('POST', '/bookings', order(asked('Savoy')), { capabilities }), {
    error: 'BAD_REQUEST',
    errorMessage: 'questionAnswers[0].value must be one of Ritz, Plaza',
  })
  t.match(await reserve(asked('Plaza'), { capabilities }), { questionAnswers: [{ value: 'Plaza' }] })
})
