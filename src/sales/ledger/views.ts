/** The money of a sale as interfaces and pages show it. Pure. */
import { toMoney } from '../../platform/text/money.ts'
import type { LedgerPayment } from './queries.ts'
import type { LedgerView } from './schemas.ts'
import type { SaleLedger } from './service.ts'

export function ledgerView(ledger: SaleLedger | undefined): LedgerView {
  if (!ledger) return null
  const { currency } = ledger
  return {
    Charged: toMoney(ledger.charged, currency),
    Kept: toMoney(ledger.kept, currency),
    Paid: toMoney(ledger.paid, currency),
    PaidBack: toMoney(ledger.paidBack, currency),
    RefundDue: toMoney(ledger.due, currency),
    Balance: toMoney(ledger.balance, currency),
    Entries: ledger.payments.map(entryView),
  }
}

function entryView(entry: LedgerPayment): NonNullable<LedgerView>['Entries'][number] {
  const { id, kind, method, amountMinor, currency, reference, madeAt, actor, actorId, actorName, undoesId } =
    entry
  return {
    ID: id,
    Type: kind,
    Method: method,
    ...toMoney(amountMinor, currency),
    Reference: reference,
    MadeAt: madeAt.toISOString(),
    Actor: { Kind: actor, ID: actorId, Name: actorName },
    ...(undoesId !== null && { UndoesID: undoesId }),
  }
}
