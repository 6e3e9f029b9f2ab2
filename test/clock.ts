/** The database's clock in tests: app_now(). */
import type { Sql } from '../src/platform/postgres/database.ts'

/** The options of build() and createDatabase() that set the database's clock to an instant. The clock then runs on. */
export function clockAt(instant: string): { clockOffset: string } {
  return { clockOffset: `${Date.parse(instant) - Date.now()} milliseconds` }
}

/**
 * Returns a function that sets the clock of all connections to the real time plus an interval. A connection with its
 * own `app.clock_offset` keeps its clock.
 */
export function createClock(sql: Sql): (offset: string) => Promise<void> {
  let current = '0'
  return async (offset) => {
    if (offset === current) return
    // Not a tagged template, because `create function` does not accept the offset as a parameter.
    await sql.unsafe(`
      create or replace function app_now() returns timestamptz language sql stable parallel safe as $$
        select now() + coalesce(nullif(current_setting('app.clock_offset', true), ''), '${offset}')::interval
      $$`)
    current = offset
  }
}
