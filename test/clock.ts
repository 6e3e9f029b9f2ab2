/** The database's clock in tests. */

/** For createDatabase(): sets the database's clock to an instant, from which it runs on. */
export function clockAt(instant: string): { clockOffset: string } {
  return { clockOffset: `${Date.parse(instant) - Date.now()} milliseconds` }
}
