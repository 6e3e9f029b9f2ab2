/** The database's clock in tests. */

/** For createDatabase(): puts the database's clock at an instant, from where it goes on. */
export function clockAt(instant: string): { clockOffset: string } {
  return { clockOffset: `${Date.parse(instant) - Date.now()} milliseconds` }
}
