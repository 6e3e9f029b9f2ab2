/** Converts rows of tills and cash to the shapes that all interfaces use. Pure. */
import { testModeView } from '../../accounts/test-mode-view.ts'
import { toAmount, toMoney } from '../../platform/text/money.ts'
import type { CashMovementRow } from './cash-queries.ts'
import { differenceOf, expectedOf } from './model.ts'
import type { TillRow } from './queries.ts'
import type { CashMovementView, TillView } from './schemas.ts'

export function tillView(row: TillRow): TillView {
  const { currency, countedMinor, closedAt, closedBy } = row
  const expectedMinor = row.closedExpectedMinor ?? expectedOf(row)
  return {
    TillID: row.id,
    User: { UserID: row.userId, Email: row.userEmail },
    Status: closedAt ? 'closed' : 'open',
    OpenedAt: row.openedAt.toISOString(),
    ClosedAt: closedAt?.toISOString() ?? null,
    ClosedBy: closedBy === null ? null : { UserID: closedBy, Email: row.closedByEmail },
    Float: toMoney(row.floatMinor, currency),
    Taken: toMoney(row.takenMinor, currency),
    PaidBack: toMoney(row.paidBackMinor, currency),
    Expected: toMoney(expectedMinor, currency),
    Counted: countedMinor === null ? null : toMoney(countedMinor, currency),
    Difference:
      countedMinor === null ? null : toMoney(differenceOf({ countedMinor, expectedMinor }), currency),
    Note: row.note,
    ...testModeView(row),
  }
}

export function cashMovementView(row: CashMovementRow): CashMovementView {
  const { currency } = row
  return {
    PaymentID: row.id,
    Type: row.kind,
    ...(row.isUndo && { Undo: true as const }),
    Amount: toAmount(row.amountMinor, currency),
    Currency: currency,
    MadeAt: row.madeAt.toISOString(),
    BasketID: row.basketId,
    BookingReference: row.reference,
    Bookings: row.bookings,
    Actor: { Kind: row.actor, ID: row.actorId, Name: row.actorName },
  }
}
