/** The names of time zones as PostgreSQL writes them. Its list may differ from that of Node. */
import type { Queryable } from './database.ts'

// By the name in lower case. PostgreSQL reads the files of all zones to list them, which takes 20 ms.
const names = new Map<string, string>()

/**
 * Maps each given name, in upper or lower case, to the name that PostgreSQL uses. Leaves out the names that it does
 * not know. Each process reads the list once, and again when a name is not in it.
 */
export async function findTimeZones(sql: Queryable, given: readonly string[]): Promise<Map<string, string>> {
  if (given.some((name) => !names.has(name.toLowerCase()))) {
    for (const { name } of await sql<{ name: string }[]>`select name from pg_timezone_names`)
      names.set(name.toLowerCase(), name)
  }
  return new Map(
    given.flatMap((name) => {
      const known = names.get(name.toLowerCase())
      return known === undefined ? [] : [[name, known] as const]
    }),
  )
}

/** The same for one name; null if PostgreSQL does not know it. */
export async function findTimeZone(sql: Queryable, name: string): Promise<string | null> {
  return (await findTimeZones(sql, [name])).get(name) ?? null
}
