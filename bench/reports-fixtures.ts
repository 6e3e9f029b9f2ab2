/**
 * A year of sales of one account, written directly into the tables: by a partner and by the account itself, some of
 * them cancelled and paid back.
 */
import { createKey } from '../src/accounts/service.ts'
import { makePassword, makeSession } from '../src/accounts/users/model.ts'
import { insertSession } from '../src/accounts/users/queries.ts'
import { createUser } from '../src/accounts/users/service.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import { type Account, makeAccount, makeProduct } from './fixtures.ts'

/** Days of sale and of activity, from the first. Timeslots of the benchmark begin in 2035. */
export const salesYear = { from: '2035-01-01', to: '2035-12-31', days: 365 }
const slotsOfProduct = 20 * salesYear.days

export type Seller = Account & { cookie: string; partnerId: number; slots: number }

/** An account with products with twenty timeslots a day for a year, a signed-in owner, and a partner. */
export async function makeSeller(sql: Sql, products: number): Promise<Seller> {
  const account = await makeAccount(sql, 'seller', null, ['operator'])
  const { accountId } = account
  for (let number = 1; number <= products; number++)
    await makeProduct(sql, {
      accountId,
      ...{ name: `Product ${number}`, slots: slotsOfProduct, capacity: 1_000_000 },
    })
  await createKey(sql, { accountId, partner: 'Partner', scopes: ['ota'], expiresInDays: null })
  const [partner] = await sql<{ id: number }[]>`select id from partners where account_id = ${accountId}`
  const owner = { accountId, role: 'owner', email: 'owner@example.com', password: makePassword() } as const
  await createUser(sql, owner)
  const [user] = await sql<{ id: number }[]>`select id from users where account_id = ${accountId}`
  const session = makeSession(accountId)
  await insertSession(sql, { accountId, hash: session.hash, userId: user!.id, hours: 12 })
  return {
    ...account,
    cookie: `abs_session=${session.token}`,
    partnerId: partner!.id,
    slots: products * slotsOfProduct,
  }
}

/**
 * Bookings spread evenly over the timeslots of a year, each sold five days before. Three of ten are by the
 * partner under a commission; the others are paid, one of a thousand only half. One of twenty is cancelled,
 * with half of its price kept and the rest paid back or due. There are a thousand first names; ten bookings
 * share a last name.
 */
export async function fillSales(
  sql: Sql,
  { accountId, partnerId, slots }: Seller,
  bookings: number,
): Promise<void> {
  const booked = sql`
    select n, translate(lpad(n::text, 10, '0'), '01', 'XY') as reference, n % 10 < 3 as is_partners, n % 20 = 5 as is_cancelled, n % 1000 = 999 as is_owing,
      slot.id as timeslot_id, slot.starts_at - interval '5 days' + n % 86400 * interval '1 second' as sold_at
    from generate_series(1, ${bookings}::integer) as n
    join (
      select id, starts_at, row_number() over (order by product_id, id) as place from timeslots
      where account_id = ${accountId}
    ) as slot on slot.place = 1 + (n::bigint * 7919) % ${slots}::bigint`
  await sql.begin(async (tx) => {
    // The copied rows refer to rows that exist. Without this, PostgreSQL would look up each one.
    await tx`set local session_replication_role = replica`
    await tx`create temporary table sale on commit drop as ${booked}`
    await tx`
      insert into baskets (account_id, id, status, channel, created_at, completed_at, payment_method)
      select ${accountId}, n, 'completed', case when is_partners then 'partner' else 'pos' end, sold_at, sold_at,
        case when not is_partners then 'card' end
      from sale`
    await tx`
      insert into bookings (account_id, id, basket_id, timeslot_id, partner_id, reference, channel, status, participants,
        first_name, last_name, unit_price_minor, currency, answers, created_at, confirmed_at, cancelled_at, cancel_reason, commission_bp)
      select ${accountId}, n, n, timeslot_id, case when is_partners then ${partnerId}::bigint end, reference,
        case when is_partners then 'partner' else 'pos' end, case when is_cancelled then 'cancelled' else 'confirmed' end,
        1 + n % 4, 'First' || n % 1000, 'Last' || n / 10, 4500, 'EUR', '[]', sold_at, sold_at, case when is_cancelled then sold_at end,
        case when is_cancelled then 'customer' end, case when is_partners then 2000 end
      from sale`
    await tx`
      insert into payments (account_id, basket_id, kind, method, amount_minor, currency, made_at, actor)
      select ${accountId}, n, 'payment', 'card', case when is_owing then 2250 else 4500 end * (1 + n % 4), 'EUR', sold_at,
        'service'
      from sale where not is_partners`
    await tx`
      insert into refunds (account_id, basket_id, booking_id, cause, amount_minor, kept_minor, currency, status, actor,
        decided_at, done_at)
      select ${accountId}, n, n, 'cancelled', 2250 * (1 + n % 4), 2250 * (1 + n % 4), 'EUR',
        case when n % 40 = 5 then 'due' else 'done' end, 'service', sold_at, case when n % 40 <> 5 then sold_at end
      from sale where is_cancelled and not is_partners`
    // Rows that triggers and a worker would write.
    await tx`
      insert into owing_bookings (account_id, booking_id, basket_id, created_at, checked)
      select ${accountId}, n, n, sold_at, true from sale where is_owing`
    await tx`
      insert into owing_states (account_id, filled_at) values (${accountId}, now())
      on conflict (account_id) do update set filled_at = now()`
    await tx`
      insert into booking_words (account_id, booking_id, words)
      select account_id, id, array_to_tsvector(array[account_id || '/' || lower(reference),
        account_id || '/' || lower(first_name), account_id || '/' || lower(last_name)])
      from bookings where account_id = ${accountId}`
    await tx`
      update timeslots set booked = sums.booked from (
        select timeslot_id, sum(1 + n % 4) as booked from sale where not is_cancelled group by timeslot_id
      ) as sums
      where account_id = ${accountId} and id = sums.timeslot_id`
  })
  await sql`vacuum analyze`
}
