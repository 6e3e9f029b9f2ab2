/**
 * Use cases of the operator's schedules. Each change first locks the account, as imports and top-ups do. Then
 * it saves the schedule and takes the first step of updating its timeslots. A preview decides in the same
 * way, but neither locks nor writes anything.
 */
import { isDeepStrictEqual } from 'node:util'
import { lockAccount } from '../../../accounts/service.ts'
import type { Authorship } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import { problems } from '../../../http/problems.ts'
import { requireVersion } from '../../../http/versions.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { refuseExcess } from '../../limits.ts'
import { ownPricesChanged } from '../../product-events.ts'
import { getProduct } from '../../reading.ts'
import { updateSaleFlags } from '../../sale-flag-queries.ts'
import { checkOwnPrices, type OwnPriceFields, toOwnPrices } from '../../units/own-prices.ts'
import type { ScheduleFields } from '../model.ts'
import { listSchedulesOfProduct, type ScheduleRow } from '../queries.ts'
import type { NewSchedule, PreviewRequest, ScheduleChange } from '../schemas.ts'
import type { TimeslotSummary } from '../timeslot-queries.ts'
import { checkSchedule, mergeSchedule, requireFields } from './checking.ts'
import { type ComingTimeslots, findComing } from './coming-queries.ts'
import { decideEffects } from './effects.ts'
import { type FollowStep, maxNamed, type ScheduleOutcome, takeStep } from './following.ts'
import * as queries from './queries.ts'
import { findProgress, markEnding, markToFollow } from './step-queries.ts'

/**
 * A saved schedule with the effects of the first step. If `unfinished` is true, takeStep() must take further
 * steps.
 */
export type ChangedSchedule = FollowStep & { schedule: ScheduleRow }

type ScheduleOwner = { accountId: number; productId: number; horizonDays: number }
/** A ScheduleOwner, with the actor of the change. */
export type ScheduleAuthor = ScheduleOwner & Authorship

/** @throws Problem not-found when the account has no such product. */
export async function listSchedules(sql: Queryable, accountId: number, productId: number) {
  await getProduct(sql, accountId, productId)
  return listSchedulesOfProduct(sql, accountId, productId)
}

/**
 * Saves a new schedule, and takes the first step of making its timeslots up to the horizon.
 * @throws Problem not-found; validation, also for the pattern of another schedule of the product;
 * account-limit-reached.
 */
export async function createSchedule(
  tx: Transaction,
  owner: ScheduleAuthor,
  request: NewSchedule,
): Promise<ChangedSchedule> {
  await lockAccount(tx, owner.accountId)
  const made = await save(tx, owner, { existing: null, fields: request })
  await refuseExcess(tx, owner.accountId)
  return made
}

/**
 * Changes a schedule, and takes the first step of changing its timeslots that have not begun. Timeslots that
 * were edited, or that have bookings, held places or a waitlist, stay as they are.
 * @param seen the version that the caller has read, if it sends one.
 * @throws Problem not-found; edited-meanwhile; validation, also for the pattern of another schedule of the
 * product.
 */
export async function changeSchedule(
  tx: Transaction,
  owner: ScheduleAuthor,
  { id, change, seen }: { id: number; change: ScheduleChange; seen?: string },
): Promise<ChangedSchedule> {
  await lockAccount(tx, owner.accountId)
  const existing = await getSchedule(tx, owner, id)
  requireVersion(seen, existing)
  return save(tx, owner, { existing, fields: mergeSchedule(existing, change) })
}

/**
 * Ends a schedule, and takes the first step of removing its timeslots that have not begun. A timeslot stays
 * if another schedule of the product has its date and time. It also stays, without a schedule, if it was
 * edited or has bookings, held places or a waitlist. A timeslot with only ended bookings is closed instead of
 * removed.
 * @param seen the version that the caller has read, if it sends one. If the schedule is already ending, the
 * version is not compared.
 * @throws Problem not-found; edited-meanwhile.
 */
export async function removeSchedule(
  tx: Transaction,
  owner: ScheduleAuthor,
  id: number,
  seen?: string,
): Promise<ChangedSchedule> {
  const { accountId, actor } = owner
  await lockAccount(tx, accountId)
  const schedule = await getSchedule(tx, owner, id)
  const progress = await findProgress(tx, accountId, id)
  if (!progress?.ending) {
    requireVersion(seen, schedule)
    await markEnding(tx, accountId, id)
  }
  return { schedule, ...(await takeStep(tx, { accountId, actor }, { ...owner, id })) }
}

/**
 * Returns the effects that createSchedule() or, with a ScheduleID, changeSchedule() would have now. It
 * changes and locks nothing, and does not check the limits of the account.
 * @param named the most new timeslots to list.
 * @param prices own prices to check. They have no effect on timeslots, so the API does not give any.
 * @throws Problem not-found; validation, as createSchedule() and changeSchedule().
 */
export async function previewSchedule(
  sql: Queryable,
  owner: ScheduleOwner,
  request: PreviewRequest,
  { named = maxNamed, prices = [] }: { named?: number; prices?: OwnPriceFields[] } = {},
): Promise<ScheduleOutcome> {
  const { accountId, productId, horizonDays } = owner
  const product = await getProduct(sql, accountId, productId)
  const { ScheduleID = null, ...given } = request
  const existing = ScheduleID === null ? null : await getSchedule(sql, owner, ScheduleID)
  const fields = existing ? mergeSchedule(existing, given) : requireFields(given)
  const priceErrors = checkOwnPrices(prices, product)
  const pattern = await checkSchedule(sql, owner, { id: ScheduleID, fields, priceErrors })
  // A new schedule gets the highest id. So a timeslot that is also in the pattern of another schedule stays
  // with that schedule.
  const draft = { id: ScheduleID ?? Number.MAX_SAFE_INTEGER, productId, pattern }
  const effects = decideEffects(draft.id, await queries.listExistingTimeslots(sql, accountId, draft))
  const made = await queries.listMissing(sql, accountId, draft, { horizonDays, named })
  return { ...effects, made }
}

/**
 * Returns the effects that removeSchedule() would have now. It changes and locks nothing.
 * @throws Problem not-found.
 */
export async function previewRemoval(
  sql: Queryable,
  owner: ScheduleOwner,
  id: number,
): Promise<ScheduleOutcome> {
  const { accountId, productId } = owner
  await getSchedule(sql, owner, id)
  const existing = await queries.listExistingTimeslots(sql, accountId, { id, productId, pattern: null })
  return { ...decideEffects(id, existing), made: none }
}

const none: TimeslotSummary = { count: 0, earliest: [] }

/**
 * The timeslots of a product on `days` successive days. The first day is today in the product's time zone, or
 * `from` if `from` is later.
 * @throws Problem not-found.
 */
export async function listComing(
  sql: Queryable,
  { accountId, productId }: Pick<ScheduleOwner, 'accountId' | 'productId'>,
  span: { from: string | null; days: number },
): Promise<ComingTimeslots> {
  const coming = await findComing(sql, accountId, { productId, ...span })
  if (!coming) throw problems.productUnknown()
  return coming
}

async function save(
  tx: Transaction,
  owner: ScheduleAuthor,
  { existing, fields }: { existing: ScheduleRow | null; fields: ScheduleFields },
): Promise<ChangedSchedule> {
  const { accountId, actor, productId } = owner
  const given = existing?.id ?? null
  const product = await getProduct(tx, accountId, productId)
  const { UnitPrices = [] } = fields
  const priceErrors = checkOwnPrices(UnitPrices, product)
  const pattern = await checkSchedule(tx, owner, { id: given, fields, priceErrors })
  const unitPrices = toOwnPrices(UnitPrices, product)
  const id = await queries.saveSchedule(tx, accountId, { id: given, productId, pattern, unitPrices })
  const schedule = await getSchedule(tx, owner, id)
  if (!isDeepStrictEqual(schedule.unitPrices, existing?.unitPrices ?? [])) {
    await updateSaleFlags(tx, accountId, [productId])
    await appendEvents(tx, ownPricesChanged({ accountId, actor }, [productId]))
  }
  await markToFollow(tx, accountId, id)
  const step = await takeStep(tx, { accountId, actor }, { ...owner, id })
  return { schedule, ...step }
}

/** @throws Problem not-found. */
export async function getSchedule(
  sql: Queryable,
  { accountId, productId }: Pick<ScheduleOwner, 'accountId' | 'productId'>,
  id: number,
): Promise<ScheduleRow> {
  const schedule = await queries.findSchedule(sql, accountId, { id, productId })
  if (!schedule) throw problems.scheduleNotFound()
  return schedule
}
