/** Lists of columns as parts of a query. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'

/** Names separated by commas, qualified with the row if one is given. */
export function namesOf(sql: Queryable, columns: readonly string[], row?: string): Fragment {
  return joinByCommas(
    sql,
    columns.map((name) => sql`${sql(row ? `${row}.${name}` : name)}`),
  )
}

/** Parts separated by commas; there must be at least one. */
export function joinByCommas(sql: Queryable, parts: readonly Fragment[]): Fragment {
  return parts.reduce((all, part) => sql`${all}, ${part}`)
}
