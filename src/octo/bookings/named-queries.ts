/** The SQL that finds the product, the timeslot and the reservation that a reseller's request names. */
import { column } from '../../platform/postgres/column.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { Viewer } from '../../sales/booking/partner/queries.ts'

/** The product and timeslot that the ids of a request name. The product need not be in the shopfront. */
export type NamedRow = {
  currency: string
  inShopfront: boolean
  /** All units that it has or had; null for a product without units. */
  units: { id: number; isSold: boolean }[] | null
  /** Null if there is no timeslot at this local start. `localStart` is wall clock text. */
  startsAt: Date | null
  localStart: string
  /** `choices` are the allowed answers; empty if any text is allowed. */
  questions: { id: number; appliesTo: 'booking' | 'participant'; choices: string[] }[]
  /** Whether the reseller has a reservation with this uuid. */
  isKnown: boolean
}

export type RequestedName = Viewer & {
  activity: string
  slot: { date: string; time: string } | null
  uuid: string | null
}

/** One row for each element of `asked`, in the same order; undefined if the account has no such product. */
export async function findNamed(
  sql: Queryable,
  asked: readonly RequestedName[],
): Promise<(NamedRow | undefined)[]> {
  const rows = await sql<(NamedRow | { currency: null })[]>`
    select products.currency, products.in_shopfront as "inShopfront",
      case when products.default_unit_id is not null then (
        select json_agg(json_build_object('id', unit.id, 'isSold', unit.position is not null)) from units as unit
        where unit.account_id = products.account_id and unit.product_id = products.id
      ) end as units,
      slot.starts_at as "startsAt",
      to_char(slot.starts_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as "localStart",
      (
        select coalesce(json_agg(json_build_object('id', question.id, 'appliesTo', question.applies_to,
          'choices', case when question.type = 'select' then question.options else '{}' end)), '[]')
        from questions as question
        where question.account_id = products.account_id and question.product_id = products.id
      ) as questions,
      exists (
        select from reservations as own
        where own.account_id = asked.account_id and own.reseller_id = asked.reseller_id and own.uuid = asked.uuid
      ) as "isKnown"
    from unnest(
      ${asked.map(({ accountId }) => accountId)}::bigint[], ${asked.map(({ partnerId }) => partnerId ?? 0)}::bigint[],
      ${asked.map(({ activity }) => activity)}::uuid[], ${column(asked, ({ slot }) => slot?.date ?? null)}::date[],
      ${column(asked, ({ slot }) => slot?.time ?? null)}::time[], ${column(asked, ({ uuid }) => uuid)}::uuid[]
    ) with ordinality as asked (account_id, reseller_id, activity, date, time, uuid, place)
    left join products on products.account_id = asked.account_id and products.activity_id = asked.activity
    left join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
      and slot.date = asked.date and slot.time = asked.time
    order by place`
  return rows.map((row) => (row.currency === null ? undefined : row))
}
