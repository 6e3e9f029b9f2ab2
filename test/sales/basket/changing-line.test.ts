/** Changing the timeslot or the party of a line in a basket: it holds either the old places or the new ones. */
import t, { type Test } from 'tap'
import { problems } from '../../../src/http/problems.ts'
import { changeLine } from '../../../src/sales/basket/changing-line.ts'
import type { LineRequest } from '../../../src/sales/basket/schemas.ts'
import { makeProduct } from '../../helper.ts'
import { harbour } from './fixtures.ts'

const actor = { kind: 'service' } as const

/** A basket with two places at 10:00, on a timeslot with 8 places. */
async function prepare(t: Test) {
  const world = await harbour(t)
  const { sql, accountId, hold, line, read, sellOut, counters } = world
  const basket = await hold([{}], { Channel: 'pos' })
  const { BasketID: basketId } = basket
  const reference = basket.Lines[0]!.BookingReference
  type ChangeSettings = { key?: string; isAwaited?: () => boolean; reference?: string }
  const change = (changes: Partial<LineRequest>, settings: ChangeSettings = {}) => {
    const { key, isAwaited = () => true } = settings
    const wanted = line(changes) as LineRequest
    const request = {
      ...{ operation: 'test.change-line', accountId, apiKeyId: 1, idempotencyKey: key, body: wanted },
      ...{ reused: problems.formReused, isAwaited },
    }
    return changeLine(
      sql,
      request,
      { accountId, actor },
      {
        ...{ basketId, reference: settings.reference ?? reference, wanted },
      },
    )
  }
  /** The error that the work throws. Without an error, an object whose message is `done`. */
  const refusal = (
    done: Promise<unknown>,
  ): Promise<{ slug?: string; extensions?: object; message: string }> =>
    done.then(
      () => ({ message: 'done' }),
      (error) => error,
    )
  const held = async () => [await counters('10:00'), await counters('12:00')].map(({ held }) => held)
  /** The timeslots whose counters differ from their bookings. */
  const listDifferences = () => sql`
    select from timeslots as slot where booked + held <> (
      select coalesce(sum(participants), 0) from bookings
      where account_id = slot.account_id and timeslot_id = slot.id and status in ('held', 'confirmed'))`
  const makeQuestion = async (productId: number, appliesTo: 'booking' | 'participant') => {
    const [question] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${productId}, 1, ${appliesTo}, 'text', false, '{}', ${appliesTo}) returning id`
    return question!.id
  }
  const answers = async () => (await sql`select answers from bookings`)[0]!.answers
  const shown = () => read({ BasketID: basketId })
  return {
    ...world,
    basket,
    basketId,
    reference,
    change,
    refusal,
    held,
    listDifferences,
    makeQuestion,
    answers,
    shown,
    sellOut,
  }
}

t.test(
  'changing the party holds or frees only the difference, and the line costs the current price',
  async (t) => {
    const { change, held, listDifferences, shown, reference, sql } = await prepare(t)
    const { answer } = await change({ Participants: 5 })
    t.match(answer, { Status: 'open', Total: { Amount: '225.00' } })
    t.match(answer.Lines, [{ BookingReference: reference, Participants: 5, Status: 'held' }])
    t.same(await held(), [5, 0])
    await sql`update products set price_minor = 1000`
    t.match((await change({ Participants: 1 })).answer, { Total: { Amount: '10.00' } })
    t.same(await held(), [1, 0])
    t.same(await listDifferences(), [])
    t.equal((await shown()).Lines.length, 1)
  },
)

t.test('the places that a line holds count as free for its change, even on a full timeslot', async (t) => {
  const { change, refusal, held, listDifferences, sellOut, sql } = await prepare(t)
  await sellOut('10:00')
  t.match((await change({ Participants: 1 })).answer.Lines, [{ Participants: 1 }])
  t.match((await change({ Participants: 2 })).answer.Lines, [{ Participants: 2 }])
  const { slug, extensions } = await refusal(change({ Participants: 3 }))
  t.equal(slug, 'insufficient-capacity')
  t.match(extensions, { Available: 2, Alternatives: [{ Time: '12:00', Available: 4 }] })
  t.same(await held(), [2, 0], 'the line keeps its places')
  await sql`update products set max_places = 8`
  t.match((await refusal(change({ Participants: 9 }))).extensions, {
    errors: [
      {
        field: 'Lines[0].Participants',
        message: 'must be at most 2 places in all, because only 2 places are free',
      },
    ],
  })
  t.same(await listDifferences(), [])
})

t.test(
  'moving a line holds places on the new timeslot instead of the old one, and keeps ExpiresAt',
  async (t) => {
    const { change, refusal, held, listDifferences, shown, basket, sellOut } = await prepare(t)
    await change({ Time: '12:00', Participants: 3 })
    t.same(await held(), [0, 3])
    const { Lines, ExpiresAt } = await shown()
    t.match(Lines, [{ Time: '12:00', Participants: 3, Status: 'held' }])
    t.equal(ExpiresAt, basket.ExpiresAt)
    await sellOut('10:00')
    t.equal((await refusal(change({ Time: '10:00' }))).slug, 'insufficient-capacity')
    t.same(await held(), [0, 3], 'a refused change leaves the places as they were')
    t.equal((await refusal(change({ Time: '11:11' }))).slug, 'timeslot-unavailable')
    t.same(await listDifferences(), [])
  },
)

t.test(
  'the history has each change of a line, and each event says to send the customer no e-mail',
  async (t) => {
    const { change, sql } = await prepare(t)
    await change({ Participants: 3 })
    await change({ Participants: 3 })
    await change({ Time: '12:00', Participants: 4 })
    await change({ Time: '10:00', Participants: 4 })
    const events = await sql`
    select type, details from events where type in ('booking.amended', 'booking.moved') order by id`
    t.match(events, [
      { type: 'booking.amended', details: { From: 2, To: 3, TellCustomer: false } },
      {
        type: 'booking.moved',
        details: {
          ...{ From: { Time: '10:00' }, To: { Time: '12:00' }, TellCustomer: false },
          ...{ FromParticipants: 3, ToParticipants: 4 },
        },
      },
      {
        type: 'booking.moved',
        details: { From: { Time: '12:00' }, To: { Time: '10:00' }, TellCustomer: false },
      },
    ])
    t.equal(events.length, 3, 'a change to the same values adds no event')
    t.notOk('FromParticipants' in events[2]!.details)
  },
)

t.test('the promotion of a basket also reduces the price of a changed line', async (t) => {
  const { change, app, headers, post, basketId } = await prepare(t)
  await post('/promotions', { Code: 'TEN', Percent: '10' })
  const url = `/api/v2/operator/baskets/${basketId}/promotion`
  await app.inject({ method: 'PUT', url, headers, payload: { Code: 'TEN' } })
  t.match((await change({ Participants: 4 })).answer, { Total: { Amount: '162.00' } })
})

t.test('answers are kept if their question belongs to the product and their participant stays', async (t) => {
  const { change, makeQuestion, answers, id, sql, accountId } = await prepare(t)
  const [party, person] = [await makeQuestion(id, 'booking'), await makeQuestion(id, 'participant')]
  const given = [
    { QuestionID: party, Value: 'By car' },
    { QuestionID: person, Value: ['1,80', '1,70'] },
  ]
  await sql`update bookings set answers = ${JSON.stringify(given)}::text::jsonb`
  await change({ Participants: 3 })
  t.same(await answers(), given)
  await change({ Time: '12:00', Participants: 1 })
  t.same(await answers(), [given[0], { QuestionID: person, Value: '1,80' }])
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots: { '2030-06-15 10:00': 8 } })
  const { answer } = await change({ ActivityID: canoe.activityId })
  t.match(answer.Lines, [{ ProductName: 'Canoe' }])
  t.same(await answers(), [])
})

t.test('places that a change frees are offered to the waitlist', async (t) => {
  const { change, post, line, sellOut, sql, held } = await prepare(t)
  await sellOut('10:00')
  const Customer = { FirstName: 'Wanda', LastName: 'Hopper', Email: 'wanda@example.com' }
  t.equal((await post('/waitlist', { ...line(), Customer })).statusCode, 201)
  await change({ Time: '12:00' })
  t.same(await sql`select status from waitlist_entries`, [{ status: 'offered' }])
  t.same(await held(), [2, 2])
})

t.test('lines of an expired or cancelled basket, and removed lines, cannot be changed', async (t) => {
  const { change, refusal, call, post, basket, basketId, reference, expireBasket, held, line } =
    await prepare(t)
  t.equal((await refusal(change({}, { reference: 'NONE' }))).slug, 'not-found')
  await post(`/baskets/${basketId}/lines`, { Lines: [line({ Time: '12:00' })] })
  await call('DELETE', `/baskets/${basketId}/lines/${reference}`)
  t.equal((await refusal(change({ Participants: 1 }))).slug, 'booking-not-changeable')
  t.same(await held(), [0, 2])
  await expireBasket(basket)
  t.equal((await refusal(change({ Participants: 1 }))).slug, 'basket-not-open')
  await post(`/baskets/${basketId}/cancel`)
  t.equal((await refusal(change({ Participants: 1 }))).slug, 'basket-not-open')
  t.same(await held(), [0, 0])
})

t.test('after concurrent changes of one line, it holds the places of exactly one change', async (t) => {
  const { change, held, listDifferences, shown } = await prepare(t)
  const wanted = [1, 2, 3, 4].flatMap((Participants) => [
    { Time: '10:00', Participants },
    { Time: '12:00', Participants },
  ])
  const done = await Promise.allSettled(wanted.map((one) => change(one)))
  t.same(
    done.filter(({ status }) => status === 'rejected'),
    [],
  )
  const { Lines } = await shown()
  const { Time, Participants } = Lines[0]!
  t.equal(Lines.length, 1)
  t.same(await held(), Time === '10:00' ? [Participants, 0] : [0, Participants])
  t.same(await listDifferences(), [])
})

t.test('two lines that change to each other’s full timeslot at the same time are both refused', async (t) => {
  const { change, hold, held, listDifferences, sellOut, sql, accountId, line, counters } = await prepare(t)
  const other = await hold([{ Time: '12:00' }], { Channel: 'pos' })
  for (const time of ['10:00', '12:00']) await sellOut(time)
  const request = {
    ...{ operation: 'test.change-line', accountId, apiKeyId: 1, idempotencyKey: undefined, body: {} },
    ...{ reused: problems.formReused, isAwaited: () => true },
  }
  const back = changeLine(
    sql,
    request,
    { accountId, actor },
    {
      ...{ basketId: other.BasketID, reference: other.Lines[0]!.BookingReference },
      wanted: line({ Time: '10:00' }) as LineRequest,
    },
  )
  const done = await Promise.allSettled([change({ Time: '12:00' }), back])
  t.same(
    done.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  t.same(await held(), [2, 2])
  t.match([await counters('10:00'), await counters('12:00')], [{ booked: 6 }, { booked: 2 }])
  t.same(await listDifferences(), [])
})

t.test(
  'a change during the cancellation of its basket takes effect first or is refused; no places stay held',
  async (t) => {
    const { change, refusal, post, basketId, held, listDifferences, shown } = await prepare(t)
    const [changed] = await Promise.all([
      refusal(change({ Time: '12:00', Participants: 3 })),
      post(`/baskets/${basketId}/cancel`),
    ])
    t.ok(changed.message === 'done' || changed.slug === 'basket-not-open', changed.message)
    t.match(await shown(), { Status: 'cancelled', Lines: [{ Status: 'cancelled' }] })
    t.same(await held(), [0, 0])
    t.same(await listDifferences(), [])
  },
)

t.test(
  'a change whose client disconnects before the commit has no effect, and a retry makes it once',
  async (t) => {
    const { change, refusal, held, listDifferences, sql } = await prepare(t)
    let asked = 0
    // The client is connected when the work begins, and disconnected before the commit.
    const abandoned = change({ Time: '12:00', Participants: 3 }, { key: 'k', isAwaited: () => asked++ === 0 })
    t.not((await refusal(abandoned)).message, 'done')
    t.same(await held(), [2, 0])
    t.same(await listDifferences(), [])
    t.equal((await change({ Time: '12:00', Participants: 3 }, { key: 'k' })).replayed, false)
    t.equal((await change({ Time: '12:00', Participants: 3 }, { key: 'k' })).replayed, true)
    t.same(await held(), [0, 3])
    t.equal((await sql`select from events where type = 'booking.moved'`).length, 1)
  },
)
