/** The discount of a promotion code after the party or the price of a booking changes. */
import t, { type Test } from 'tap'
import { previewMove } from '../../../src/sales/booking/changes/previewing-move.ts'
import { previewParty } from '../../../src/sales/booking/changes/previewing-party.ts'
import { openPromotions } from './fixtures.ts'

const eur = (Amount: string) => ({ Amount, Currency: 'EUR' })

/** Sells places for four people at 180.00, less the code and, if given, the reduction at the till; paid in cash. */
async function sell(
  t: Test,
  promotion: Record<string, unknown>,
  Reduction?: { Amount: string; Reason: string },
) {
  const built = await openPromotions(t)
  const { promote, hold, use, read, post, call, sql, accountId } = built
  const PromotionID = await promote(promotion)
  const basket = await hold([{ Participants: 4 }])
  await use(basket)
  const { Total } = await read(basket)
  const Amount = (Number(Total!.Amount) - Number(Reduction?.Amount ?? 0)).toFixed(2)
  const payment = { Method: 'cash', Amount, ...(Reduction && { Reduction }) }
  const paid = await post(`/baskets/${basket.BasketID}/pay`, payment)
  t.equal(paid.statusCode, 200, paid.body)
  const reference = paid.json().data.Lines[0].BookingReference as string
  const booking = async () => (await call('GET', `/bookings/${reference}`)).json().data
  const amend = async (Participants: number) => {
    const preview = await previewParty(sql, accountId, {
      reference,
      party: { participants: Participants, units: null },
    })
    const answer = await post(`/bookings/${reference}/amend`, { Participants })
    t.equal(answer.statusCode, 200, answer.body)
    return { preview, ...(await booking()) }
  }
  return { ...built, PromotionID, reference, booking, amend }
}

t.test(
  'the percentage of a code is also taken off the price of a changed party, as the preview says',
  async (t) => {
    const { amend } = await sell(t, { Percent: '10' })
    const fewer = await amend(2)
    t.match(fewer, {
      Total: eur('81.00'),
      Discount: eur('9.00'),
      preview: { fromMinor: 16_200n, toMinor: 8100n },
    })
    const more = await amend(6)
    t.match(more, {
      Total: eur('243.00'),
      Discount: eur('27.00'),
      preview: { fromMinor: 8100n, toMinor: 24_300n },
    })
  },
)

t.test(
  'after a change, the percentage of a code is still a percentage, and a reduction at the till is still an amount',
  async (t) => {
    const till = { Amount: '3.07', Reason: 'late' }
    const { sql, accountId, amend, post, reference, booking } = await sell(t, { Percent: '10' }, till)
    t.match(await booking(), { Total: eur('158.93'), Discount: eur('21.07'), Reduction: eur('3.07') })
    t.match(await amend(2), {
      Total: eur('77.93'),
      Discount: eur('12.07'),
      Reduction: eur('3.07'),
      preview: { fromMinor: 15_893n, toMinor: 7793n },
    })
    await sql`update products set price_minor = 6000`
    const [slot] = await sql<{ id: number; capacity: number }[]>`
    select id, capacity from timeslots where time = '12:00'`
    t.match(await previewMove(sql, accountId, { reference, slot: slot! }), { current: { minor: 10_493n } })
    const to = { Date: '2030-06-15', Time: '12:00', Price: 'current', ExpectedTotal: '104.93' }
    t.equal((await post(`/bookings/${reference}/move`, to)).statusCode, 200)
    t.match(await booking(), { Total: eur('104.93'), Discount: eur('15.07'), Reduction: eur('3.07') })
  },
)

t.test('the percentage applies again after the price was below the sum of the reductions', async (t) => {
  const { amend } = await sell(t, { Percent: '20' }, { Amount: '40.00', Reason: 'late' })
  t.match(await amend(1), { Total: eur('0.00'), Discount: eur('45.00') })
  t.match(await amend(4), { Total: eur('104.00'), Discount: eur('76.00') })
})

t.test('a code for a fixed amount takes off the same amount after a change', async (t) => {
  const { amend } = await sell(t, { Amount: '30.00', Currency: 'EUR' })
  t.match(await amend(2), { Total: eur('60.00'), Discount: eur('30.00'), preview: { toMinor: 6000n } })
})

t.test(
  'after the percentage of a promotion has changed, a changed booking keeps its discount as an amount',
  async (t) => {
    const { amend, call, PromotionID } = await sell(t, { Percent: '10' })
    const changed = await call('PATCH', `/promotions/${PromotionID}`, { Percent: '50' })
    t.equal(changed.statusCode, 200, changed.body)
    t.match(await amend(2), { Total: eur('72.00'), Discount: eur('18.00'), preview: { toMinor: 7200n } })
  },
)

t.test('a move at current prices takes the percentage off the new price', async (t) => {
  const { sql, accountId, reference, post, booking } = await sell(t, { Percent: '10' })
  await sql`update products set price_minor = 6000`
  const [slot] = await sql<{ id: number; capacity: number }[]>`
    select id, capacity from timeslots where time = '12:00'`
  const preview = await previewMove(sql, accountId, { reference, slot: slot! })
  t.match(preview, { keptMinor: 16_200n, current: { minor: 21_600n } })
  const to = { Date: '2030-06-15', Time: '12:00', Price: 'current', ExpectedTotal: '216.00' }
  const moved = await post(`/bookings/${reference}/move`, to)
  t.equal(moved.statusCode, 200, moved.body)
  t.match(await booking(), { Total: eur('216.00'), Discount: eur('24.00') })
})
