/** Use cases of tills: open one with a float, read its expected cash, and close it with a count. */
import { byUser, theService } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { checkPrice, toMinorUnits, toMoney } from '../../platform/text/money.ts'
import * as cash from './cash-queries.ts'
import { expectedOf } from './model.ts'
import * as queries from './queries.ts'
import type {
  CashMovementView,
  CashPageQuery,
  CloseTillRequest,
  OpenTillRequest,
  TillsQuery,
  TillView,
} from './schemas.ts'
import { cashMovementView, tillView } from './views.ts'

export { listOutsideDays, type OutsideDay } from './cash-queries.ts'
export { listCurrencies, listOpenCurrencies } from './queries.ts'

/** The user of tills. Owners may use the tills of all users, and others only their own. */
export type TillUser = { accountId: number; userId: number; role: 'owner' | 'staff' }
/** A command has the rights of an owner, and is not a user. */
export type TillReader = TillUser | { accountId: number; userId: null; role: 'owner' }

/**
 * Opens a till. Until it is closed, the user's cash in its currency goes into it and comes out of it.
 * @throws Problem validation; till-open if the user has an open one in this currency.
 */
export async function openTill(
  tx: Transaction,
  user: TillUser,
  { Currency, Float }: OpenTillRequest,
): Promise<TillView> {
  const { accountId, userId } = user
  const floatMinor = readAmountOf(Float, Currency, 'Float')
  const id = await queries.insertTill(tx, accountId, { userId, currency: Currency, floatMinor })
  if (id === null) throw moneyProblems.tillOpen(Currency)
  const details = { TillID: id, UserID: userId, Float: toMoney(floatMinor, Currency) }
  await appendEvents(tx, [{ ...byUser(user), type: 'till.opened', details }])
  return readTill(tx, user, id)
}

/**
 * Closes a till with a count. It waits for payments that are in progress, and includes them. A closed till never
 * changes.
 * @throws Problem not-found, also for another user's till unless an owner closes it; validation; till-closed.
 */
export async function closeTill(
  tx: Transaction,
  user: TillReader,
  id: number,
  { Counted, Note }: CloseTillRequest,
): Promise<TillView> {
  const { accountId, userId } = user
  await queries.lockTill(tx, accountId, id)
  // A separate statement, so that it sees the payments that were committed while lockTill() waited for the
  // lock.
  const till = await requireTill(tx, user, id)
  if (till.closedAt) throw moneyProblems.tillClosed(till.closedAt)
  const { currency } = till
  const countedMinor = readAmountOf(Counted, currency, 'Counted')
  const expectedMinor = expectedOf(till)
  const note = Note?.trim() || null
  await queries.updateClosed(tx, accountId, id, { userId, countedMinor, expectedMinor, note })
  const closed = await readTill(tx, user, id)
  const { Expected, Difference } = closed
  const details = {
    ...{ TillID: id, UserID: till.userId, Counted: toMoney(countedMinor, currency) },
    ...{ Expected, Difference: Difference! },
  }
  const by = user.userId === null ? { accountId, actor: theService } : byUser(user)
  await appendEvents(tx, [{ ...by, type: 'till.closed', details }])
  return closed
}

/**
 * The counted cash of an open till, and the difference that it would have if it were closed now with this
 * count.
 * @throws Problem not-found, also for another user's till unless an owner reads it; validation; till-closed.
 */
export async function previewClosing(
  sql: Queryable,
  user: TillReader,
  id: number,
  counted: string,
): Promise<CountedCash> {
  const till = await requireTill(sql, user, id)
  if (till.closedAt) throw moneyProblems.tillClosed(till.closedAt)
  const countedMinor = readAmountOf(counted, till.currency, 'Counted')
  const { Counted, Difference } = tillView({ ...till, countedMinor })
  return { Counted: Counted!, Difference: Difference! }
}

export type CountedCash = { [Part in 'Counted' | 'Difference']: NonNullable<TillView[Part]> }

/** @throws Problem not-found, also for another user's till unless an owner reads it. */
export async function readTill(sql: Queryable, user: TillReader, id: number): Promise<TillView> {
  return tillView(await requireTill(sql, user, id))
}

/**
 * Tills, the latest opened first: all for an owner, otherwise the user's own. `next` is the cursor of the next page, or
 * null.
 * @throws Problem validation for an invalid cursor.
 */
export async function browseTills(
  sql: Sql,
  user: TillReader,
  { Status, Limit, Cursor }: TillsQuery,
): Promise<{ tills: TillView[]; next: string | null }> {
  const [before] = readPosition(Cursor, ['number']) ?? [null]
  const userId = user.role === 'owner' ? undefined : user.userId
  const isOpen = Status && Status === 'open'
  const { rows, next } = await readPage(
    Limit,
    (limit) => queries.listTills(sql, user.accountId, { userId, isOpen, before, limit }),
    ({ id }) => [id],
  )
  return { tills: rows.map(tillView), next }
}

/** A user's open tills: at most one for each currency. */
export async function listOwnOpen(sql: Sql, { accountId, userId }: TillUser): Promise<TillView[]> {
  const filter = { userId, isOpen: true, before: null, limit: maxCurrencies }
  return (await queries.listTills(sql, accountId, filter)).map(tillView)
}

const maxCurrencies = 200

type CashPage = { movements: CashMovementView[]; next: string | null }

/**
 * The cash payments and refunds of a till, the latest first.
 * @throws Problem not-found; validation for an invalid cursor.
 */
export async function browseMovements(
  sql: Sql,
  user: TillUser,
  tillId: number,
  query: CashPageQuery,
): Promise<CashPage> {
  await requireTill(sql, user, tillId)
  return readCash(query, (page) => cash.listMovements(sql, user.accountId, { tillId, ...page }))
}

/**
 * The cash outside of tills on a day in the account's time zone, the latest first.
 * @throws Problem validation for an invalid cursor.
 */
export function browseOutside(
  sql: Sql,
  accountId: number,
  { day, timeZone }: { day: string; timeZone: string },
  query: CashPageQuery,
): Promise<CashPage> {
  return readCash(query, (page) => cash.listOutside(sql, accountId, { day, timeZone, ...page }))
}

async function readCash(
  { Limit, Cursor }: CashPageQuery,
  list: (page: { before: number | null; limit: number }) => Promise<cash.CashMovementRow[]>,
): Promise<CashPage> {
  const [before] = readPosition(Cursor, ['number']) ?? [null]
  const { rows, next } = await readPage(
    Limit,
    (limit) => list({ before, limit }),
    ({ id }) => [id],
  )
  return { movements: rows.map(cashMovementView), next }
}

async function requireTill(sql: Queryable, { accountId, userId, role }: TillReader, id: number) {
  const till = await queries.findTill(sql, accountId, id)
  if (!till || (role !== 'owner' && till.userId !== userId)) throw moneyProblems.tillNotFound()
  return till
}

/** @throws Problem validation that names the field of the amount. */
function readAmountOf(amount: string, currency: string, field: string): number {
  const fault = checkPrice({ Amount: amount, Currency: currency })
  if (fault) {
    const named = fault.field === 'Amount' ? field : fault.field
    throw problems.validation([{ field: named, message: fault.message }])
  }
  return toMinorUnits(amount, currency)!
}
