/** Lists of columns as parts of a query. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'

/** Names with commas between them, each of the row that is named, if any. */
export function namesOf(sql: Queryable, columns: readonly string[], row?: string): Fragment {
  return inList(
    sql,
    columns.map((name) => sql`${sql(row ? `${row}.${name}` : name)}`),
  )
}

/** Parts with commas between them, of which there is at least one. */
export function inList(sql: Queryable, parts: readonly Fragment[]): Fragment {
  return parts.reduce((all, part) => sql`${all}, ${part}`)
}
