/** The SQL expression that tells whether a change of a contact names another person. */
import type { Queryable } from '../platform/postgres/database.ts'

/**
 * Whether the person of a row stays the same person: the e-mail address stays, or the name stays. Adding the
 * missing first or last name does not make another person. A row that has neither a name nor an address stays
 * the same person unless its phone number is changed or removed. Never null.
 * @param former the alias of the row before the change, and `next` of the row after it. Both have the columns
 *   `first_name`, `last_name`, `email` and `phone`.
 */
export function isSamePerson(sql: Queryable, former: string, next: string) {
  const [old, now] = [sql(former), sql(next)]
  return sql`coalesce(
    lower(${old}.email) = lower(${now}.email)
    or (coalesce(${old}.first_name, ${old}.last_name) is not null
      and coalesce(lower(${old}.first_name) = lower(${now}.first_name), ${old}.first_name is null)
      and coalesce(lower(${old}.last_name) = lower(${now}.last_name), ${old}.last_name is null))
    or (coalesce(${old}.first_name, ${old}.last_name, ${old}.email) is null
      and (${old}.phone is null or ${old}.phone = ${now}.phone)), false)`
}

/**
 * A subquery with one row: the person of a row of the table `former` after a change by the row `given`, and
 * `is_same`. In `given`, null keeps a field if the person stays the same, and removes it otherwise. An empty
 * text removes a field.
 */
export function personAfter(sql: Queryable, former: string) {
  const old = sql(former)
  const field = (name: string) => {
    const [column, part] = [sql(name), sql`given.${sql(name)}`]
    return sql`nullif(case when is_same then coalesce(${part}, ${old}.${column}) else ${part} end, '') as ${column}`
  }
  return sql`
    select ${field('first_name')}, ${field('last_name')}, ${field('email')}, ${field('phone')}, is_same
    from (
      select nullif(coalesce(given.first_name, ${old}.first_name), '') as first_name,
        nullif(coalesce(given.last_name, ${old}.last_name), '') as last_name,
        nullif(coalesce(given.email, ${old}.email), '') as email,
        nullif(coalesce(given.phone, ${old}.phone), '') as phone
    ) as merged
    cross join lateral (select ${isSamePerson(sql, former, 'merged')} as is_same) as compared`
}
