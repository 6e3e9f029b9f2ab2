/** Fixtures for tests of reserve(): timeslots of an operator, attempts to book them, and their outcomes. */
import type { Test } from 'tap'
import { activityUuid } from '../../../src/catalogue/model.ts'
import { SetAside } from '../../../src/platform/async/lanes.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import type { Attempt } from '../../../src/sales/booking/decision.ts'
import { makeReference } from '../../../src/sales/booking/model.ts'
import type { AttemptOutcome } from '../../../src/sales/booking/transaction.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'

/**
 * Makes a product with these timeslots. `attempt()` returns an attempt to book one place at 10:00, with the
 * changes of the test.
 */
export async function openSlot(t: Test, slots: Record<string, number>) {
  const { sql, ...database } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, accountId, { slots })
  let id = 1
  const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
    accountId,
    id: id++,
    basketId: id,
    activity: activityUuid(activityId),
    activityId,
    date: '2030-06-15',
    time: '10:00',
    partnerId: null,
    channel: 'partner',
    status: 'confirmed',
    actor: { kind: 'partner', id: null },
    reference: makeReference(),
    participants: 1,
    units: null,
    paymentReference: null,
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: null,
    answers: '[]',
    answerErrors: [],
    claim: null,
    hold: null,
    mayBeMade: false,
    isAwaited: () => true,
    ...changes,
  })
  const booked = async () => (await sql`select sum(booked)::integer as booked from timeslots`)[0]!.booked
  return { sql, ...database, accountId, attempt, booked }
}

export const kinds = (outcomes: AttemptOutcome[]) => outcomes.map(kindOf)

function kindOf(outcome: AttemptOutcome): string {
  if (outcome instanceof Error) return 'error'
  return outcome instanceof SetAside ? 'set aside' : outcome.kind
}

/** Inserts an open basket that holds places of the only timeslot until `expiresAt`. */
export async function holdUntil(sql: Sql, expiresAt: string, participants: number): Promise<void> {
  await sql`
    with basket as (
      insert into baskets (account_id, id, status, channel, expires_at)
      select account_id, ${1e6 + participants}, 'open', 'online', ${expiresAt} from timeslots
      returning account_id, id
    ), booking as (
      insert into bookings (unit_price_minor, currency, account_id, id, basket_id, timeslot_id, channel, status, reference, participants, answers)
      select 4500, 'EUR', account_id, basket.id, basket.id, timeslots.id, 'online', 'held', ${`HELD${participants}`},
        ${participants}, '[]'
      from basket join timeslots using (account_id)
    )
    update timeslots set held = held + ${participants}`
}
