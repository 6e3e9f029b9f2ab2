/**
 * The use cases of baskets before they are paid: all places of a basket are held for a time, or none. Independent of
 * HTTP.
 */

import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import { withAlternatives } from '../../inventory/alternatives.ts'
import { endBasket, makeBasket } from '../../inventory/baskets.ts'
import { isHeldByReseller } from '../../inventory/locking.ts'
import { changeBookings, changeCustomer, lockPlaces, makeBookings } from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { toCustomer } from '../booking/customer.ts'
import {
  applyPromotion,
  discountBaskets,
  ensureUse,
  findPromotionId,
  promotionRefused,
} from '../promotion/applying.ts'
import { checkPlaces, findLines, priceLines, toBookings } from './lines.ts'
import { getLocked, lockOpen } from './locking.ts'
import { contactLineOf, withOtherCustomer } from './model.ts'
import * as queries from './queries.ts'
import {
  type BasketRequest,
  type BasketsQuery,
  type BasketView,
  type CustomerRequest,
  type LineRequest,
  maxLines,
} from './schemas.ts'
import { readBasket, readBaskets } from './views.ts'

/** A basket after a request; `replayed` if the same request was made before. */
export type BasketResult = { answer: BasketView; replayed: boolean }

/**
 * Makes a basket that holds the places of all its lines for the time that the account sets.
 * @throws Problem validation; promotion-not-applicable; insufficient-capacity or timeslot-unavailable, and then nothing
 *   is held.
 */
export function createBasket(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  wanted: BasketRequest,
): Promise<BasketResult> {
  const { accountId } = by
  return withAlternatives(sql, () =>
    runOnce(sql, request, async (tx) => {
      const { Channel: channel } = wanted
      const lines = await findLines(tx, accountId, channel, wanted.Lines)
      const timeslotIds = lines.map(({ timeslotId }) => timeslotId)
      const { slots } = await lockPlaces(tx, accountId, { timeslotIds })
      const { PromotionCode: code } = wanted
      const promotionId =
        code === undefined ? null : await findPromotionId(tx, accountId, code, { lock: true })
      const priced = priceLines(accountId, lines, slots)
      await checkPlaces(tx, accountId, priced)
      const basketId = await makeBasket(tx, by, { status: 'open', channel, payment: null })
      const common = { ...by, basketId, channel, status: 'held' as const, ...toCustomer(wanted.Customer) }
      await makeBookings(tx, toBookings(priced, common))
      if (code !== undefined) await applyPromotion(tx, by, { basketId, promotionId })
      return readOneCurrency(tx, accountId, basketId)
    }),
  )
}

/**
 * Adds lines to an open basket, all or none.
 * @throws Problem not-found, held-by-reseller, basket-not-open; validation, also for more than `maxLines` lines;
 *   insufficient-capacity or timeslot-unavailable.
 */
export function addLines(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, requests }: { basketId: number; requests: LineRequest[] },
): Promise<BasketResult> {
  const { accountId } = by
  return withAlternatives(sql, () =>
    runOnce(sql, request, async (tx) => {
      const channel = await getOwnChannel(tx, accountId, basketId)
      const lines = await findLines(tx, accountId, channel, requests)
      const timeslotIds = lines.map(({ timeslotId }) => timeslotId)
      const locked = await lockOpen(tx, accountId, basketId, { timeslotIds })
      if (locked.lines.length + lines.length > maxLines) throw tooManyLines()
      const priced = priceLines(accountId, lines, locked.slots)
      await checkPlaces(tx, accountId, priced)
      const known = contactLineOf(await queries.listLines(tx, accountId, [basketId]))
      const common = { ...by, basketId, channel, status: 'held' as const, ...toCustomer(undefined, known) }
      await makeBookings(tx, toBookings(priced, common))
      await discountBaskets(tx, accountId, [basketId])
      return readOneCurrency(tx, accountId, basketId)
    }),
  )
}

function tooManyLines() {
  const message = `would make more than ${maxLines} lines in this basket, including removed lines`
  return problems.validation([{ field: 'Lines', message }])
}

/**
 * Frees the places of one line of an open basket. Does nothing for a line that was removed before.
 * @throws Problem not-found, held-by-reseller, basket-not-open.
 */
export function removeLine(
  sql: Sql,
  by: Authorship,
  { basketId, reference }: { basketId: number; reference: string },
): Promise<BasketView> {
  const { accountId } = by
  return runAgain(sql, async (tx) => {
    const { lines } = await lockOpen(tx, accountId, basketId)
    const line = lines.find((line) => line.reference === reference)
    if (!line) throw problems.lineNotFound()
    if (line.status === 'held') {
      const change = { booking: line, action: 'removed', to: { status: 'cancelled' } } as const
      await changeBookings(tx, by.actor, [{ ...change, cancelReason: 'operator' }])
      await discountBaskets(tx, accountId, [basketId])
    }
    return readBasket(tx, accountId, basketId)
  })
}

/**
 * Writes one customer on every line. A line that already has this customer does not change. Fields that are not
 * given have the values of the basket's current customer, which is that of contactLineOf().
 * @throws Problem not-found, held-by-reseller, basket-not-open; promotion-not-applicable if this customer
 *   cannot use the basket's promotion.
 */
export function setCustomer(
  sql: Sql,
  by: Authorship,
  { basketId, request }: { basketId: number; request: CustomerRequest },
): Promise<BasketView> {
  const { accountId } = by
  return runAgain(sql, async (tx) => {
    const { basket, lines } = await lockOpen(tx, accountId, basketId, { promotionIds: [] })
    const known = await queries.listLines(tx, accountId, [basketId])
    const customer = toCustomer(request, contactLineOf(known))
    const others = new Set(withOtherCustomer(known, customer).map(({ reference }) => reference))
    const changing = lines.filter(({ reference }) => others.has(reference))
    await changeCustomer(tx, accountId, by.actor, changing, customer)
    const refused = await ensureUse(tx, accountId, basket)
    if (refused) throw promotionRefused(refused)
    return readBasket(tx, accountId, basketId)
  })
}

/**
 * Extends the hold to the account's hold time from now, at most to the limit. Never shortens the hold.
 * @throws Problem not-found, held-by-reseller, basket-not-open, hold-limit-reached.
 */
export function extendBasket(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  basketId: number,
): Promise<BasketResult> {
  const { accountId } = by
  return runOnce(sql, request, async (tx) => {
    await lockOpen(tx, accountId, basketId)
    if (!(await queries.extendBasket(tx, accountId, basketId))) throw problems.holdLimitReached()
    await appendEvents(tx, [{ ...by, type: 'basket.extended', basketId, details: {} }])
    return readBasket(tx, accountId, basketId)
  })
}

/**
 * Frees all places that a basket holds, and ends its waitlist entry.
 * @throws Problem not-found, held-by-reseller, basket-not-open.
 */
export function cancelBasket(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  basketId: number,
): Promise<BasketResult> {
  const { accountId } = by
  return runOnce(sql, request, async (tx) => {
    const { basket, lines } = await getLocked(tx, accountId, basketId)
    if (basket.status !== 'open' && basket.status !== 'waiting') throw problems.basketNotOpen(basket.status)
    const end = { id: basketId, status: 'cancelled', cancelReason: 'operator' } as const
    await endBasket(tx, accountId, by.actor, end, lines)
    return readBasket(tx, accountId, basketId)
  })
}

/**
 * Baskets of the operator's own sales, newest first. With `RefundDue`, only baskets with a payment to pay
 * back, including the baskets of partners' bookings with such a payment. `next` is the cursor of the next
 * page, or null.
 * @throws Problem validation for an invalid cursor.
 */
export async function browseBaskets(
  sql: Sql,
  { accountId }: Pick<Authorship, 'accountId'>,
  { Status, RefundDue, Limit, Cursor }: BasketsQuery,
): Promise<{ baskets: BasketView[]; next: string | null }> {
  const [before] = readPosition(Cursor, ['number']) ?? []
  const filter = { status: Status, refundDue: RefundDue === 'true', before }
  const { rows, next } = await readPage(
    Limit,
    (limit) => queries.listBaskets(sql, accountId, { ...filter, limit }),
    ({ id }) => [id],
  )
  return { baskets: await readBaskets(sql, accountId, rows), next }
}

/**
 * The channel of a basket of the operator, without a lock: it never changes.
 * @throws Problem not-found; held-by-reseller; basket-not-open for any other basket of a partner's booking.
 */
export async function getOwnChannel(
  tx: Transaction,
  accountId: number,
  basketId: number,
): Promise<'online' | 'pos'> {
  const basket = await queries.findBasket(tx, accountId, basketId)
  if (!basket) throw problems.basketNotFound()
  if (isHeldByReseller(basket)) throw problems.heldByReseller()
  if (basket.channel === 'partner') throw problems.basketNotOpen(basket.status)
  return basket.channel
}

/**
 * Reads a basket after its lines changed.
 * @throws Problem validation if its lines have different currencies.
 */
export async function readOneCurrency(
  tx: Transaction,
  accountId: number,
  basketId: number,
): Promise<BasketView> {
  const basket = await readBasket(tx, accountId, basketId)
  const counted = basket.Lines.filter(({ Status }) => Status !== 'cancelled')
  const currencies = new Set(counted.map(({ UnitPrice }) => UnitPrice.Currency))
  if (currencies.size > 1) {
    const message = `would be priced in ${[...currencies].join(' and ')}; a basket has one currency`
    throw problems.validation([{ field: 'Lines', message }])
  }
  return basket
}
