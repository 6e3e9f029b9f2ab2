/** Reads baskets into the shape that all interfaces use. */
import { testModeView } from '../../accounts/test-mode-view.ts'
import { toActivityId } from '../../catalogue/model.ts'
import { openingView } from '../../catalogue/opening-hours.ts'
import { problems } from '../../http/problems.ts'
import { groupBy } from '../../platform/collections/group-by.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import { boughtView, reductionView } from '../booking/bought-view.ts'
import { refundView } from '../booking/money-views.ts'
import { readLedger } from '../ledger/service.ts'
import { ledgerView } from '../ledger/views.ts'
import { contactLineOf, sumLines } from './model.ts'
import * as queries from './queries.ts'
import type { BasketView } from './schemas.ts'

/** @throws Problem not-found when the account has no such basket. */
export async function readBasket(sql: Queryable, accountId: number, id: number): Promise<BasketView> {
  const basket = await queries.findBasket(sql, accountId, id)
  if (!basket) throw problems.basketNotFound()
  const [view] = await readBaskets(sql, accountId, [basket])
  return view!
}

export async function readBaskets(
  sql: Queryable,
  accountId: number,
  baskets: queries.BasketRow[],
): Promise<BasketView[]> {
  const ids = baskets.map(({ id }) => id)
  const lines = groupBy(await queries.listLines(sql, accountId, ids), 'basketId')
  const payments = groupBy(await queries.listPayments(sql, accountId, ids), 'basketId')
  const ledgers = await readLedger(sql, accountId, ids)
  return baskets.map((basket) => ({
    ...viewBasket(basket, lines.get(basket.id) ?? [], payments.get(basket.id) ?? []),
    Ledger: ledgerView(ledgers.get(basket.id)),
  }))
}

function viewBasket(
  basket: queries.BasketRow,
  lines: queries.LineRow[],
  payments: queries.PaymentRow[],
): Omit<BasketView, 'Ledger'> {
  const total = sumLines(lines)
  const activeLines = lines.filter(({ status }) => status !== 'cancelled')
  const customer = contactLineOf(lines)
  return {
    BasketID: basket.id,
    Status: basket.status,
    Channel: basket.channel,
    CreatedAt: basket.createdAt.toISOString(),
    ExpiresAt: basket.expiresAt?.toISOString() ?? null,
    HoldLimitAt: basket.holdLimitAt?.toISOString() ?? null,
    CompletedAt: basket.completedAt?.toISOString() ?? null,
    Customer: {
      FirstName: customer?.firstName ?? null,
      LastName: customer?.lastName ?? null,
      Email: customer?.email ?? null,
      Phone: customer?.phone ?? null,
    },
    Lines: lines.map(viewLine),
    Total: total && toMoney(total.minor, total.currency),
    ...viewPromotion(basket, activeLines),
    ...reductionView(activeLines),
    Payment: basket.paymentMethod && { Method: basket.paymentMethod, Reference: basket.paymentReference },
    RefundReason: basket.refundReason,
    Payments: payments.map(viewPayment),
    ...testModeView(basket),
  }
}

/**
 * The promotion code of a basket, and the amount that it takes off these lines; empty without a code or
 * without lines.
 */
function viewPromotion({ promotionCode }: queries.BasketRow, lines: queries.LineRow[]) {
  const [first] = lines
  if (promotionCode === null || !first) return {}
  const minor = lines.reduce((sum, { discountMinor, reductionMinor }) => {
    const discount = BigInt(discountMinor) - BigInt(reductionMinor ?? 0)
    return discount > 0n ? sum + discount : sum
  }, 0n)
  return { Promotion: { Code: promotionCode, Discount: toMoney(minor, first.currency) } }
}

function viewLine(line: queries.LineRow): BasketView['Lines'][number] {
  return {
    BookingReference: line.reference,
    Status: line.status,
    ActivityID: toActivityId(line.activity),
    ProductName: line.productName,
    TimeslotID: line.timeslotId,
    Date: line.date,
    Time: line.time,
    ...openingView(line.openingHours),
    ...boughtView(line),
    UnitPrice: viewPrice(line),
    Refund: refundView(line),
  }
}

export function viewPrice({ unitPriceMinor, currency }: queries.LineRow) {
  return toMoney(unitPriceMinor, currency)
}

function viewPayment(payment: queries.PaymentRow): BasketView['Payments'][number] {
  return {
    ID: payment.id,
    Type: payment.type,
    Amount: payment.amount,
    Currency: payment.currency,
    Reference: payment.reference,
    Outcome: payment.outcome,
    RefundReason: payment.refundReason,
    ReceivedAt: payment.receivedAt.toISOString(),
    RefundedAt: payment.refundedAt?.toISOString() ?? null,
    ...viewPaidBack(payment),
  }
}

function viewPaidBack({ refundedMinor, currency }: queries.PaymentRow) {
  return refundedMinor !== null ? { PaidBack: toMoney(refundedMinor, currency) } : {}
}
