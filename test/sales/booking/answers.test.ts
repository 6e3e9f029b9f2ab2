/** Answers to questions that are asked of each participant: missing answers, people who leave, and large parties. */
import t from 'tap'
import type { Question } from '../../../src/catalogue/products/questions.ts'
import { listUnanswered } from '../../../src/sales/booking/answers.ts'
import { answersWithout } from '../../../src/sales/booking/changes/leaving-model.ts'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../../helper.ts'

const asked = { id: 7, required: true, appliesTo: 'participant' } as Question

t.test('a required question counts as unanswered until every participant has answered it', async (t) => {
  const isOpen = (Value: string | string[], participants: number) =>
    listUnanswered([asked], [{ QuestionID: 7, Value }], participants).length > 0
  t.equal(isOpen(['1,80', '1,70'], 2), false)
  t.equal(isOpen(['1,80'], 2), true)
  t.equal(isOpen(['1,80', ' '], 2), true)
  t.equal(isOpen(['1,80', '', '1,60'], 2), true, 'the answer of a former participant counts for nobody')
  t.equal(isOpen(['', '1,70'], 2), true)
  t.equal(isOpen(['', 'Yes'], 1), false, 'a party of one may have chosen several options')
  t.equal(isOpen([''], 1), true)
  t.same(listUnanswered([{ ...asked, required: false }], [], 2), [])
})

t.test('the answers of people who leave are removed, even if a question is answered twice', async (t) => {
  const answers = [
    { QuestionID: 7, Value: 'Ada' },
    { QuestionID: 8, Value: 'Vegan' },
    { QuestionID: 7, Value: ['Bo', 'Cy'] },
  ]
  const remaining = (...participants: number[]) => answersWithout(answers, participants, (id) => id === 7)
  t.same(remaining(2), [answers[0], answers[1], { QuestionID: 7, Value: 'Cy' }])
  t.same(remaining(1, 3), [answers[1], { QuestionID: 7, Value: 'Bo' }])
})

t.test('each person of a party of 999 can answer a question', async (t) => {
  const { app, sql } = await build(t)
  const { accountId, headers } = await makeCaller(sql, { scopes: ['ota', 'operator'] })
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 999 } })
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Height', 'text', true, '{}', 'participant') returning id`
  const answersOf = (people: number) => [
    { QuestionID: question!.id, Value: Array.from({ length: people }, (_, index) => `1,${index}`) },
  ]
  const book = (people: number) => {
    const payload = bookingBody(activityId, { Participants: 999, Answers: answersOf(people) })
    return app.inject({ method: 'POST', url: bookingPath, headers, payload })
  }
  t.match((await book(1000)).json().errors, [{ field: 'Answers[0].Value' }])
  const booked = await book(999)
  t.equal(booked.statusCode, 201)
  const url = `/api/v2/operator/bookings/${booked.json().data.BookingReference}`
  t.same((await app.inject({ url, headers })).json().data.Answers, answersOf(999))
})
