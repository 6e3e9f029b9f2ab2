/** The database's clock in tests. */

/** The options of createDatabase() that set the database's clock to an instant. The clock then runs on. */
export function clockAt(instant: string): { clockOffset: string } {
  return { clockOffset: `${Date.parse(instant) - Date.now()} milliseconds` }
}
