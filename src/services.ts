/** What a process works with, opened in order and closed in reverse. Tests open the same with other settings. */
import type { Logger } from 'pino'
import type { Config } from './platform/config.ts'
import { openDatabase, type Sql } from './platform/database.ts'
import { createLogger } from './platform/logging.ts'

export type Services = {
  config: Config
  log: Logger
  sql: Sql
  /** Mutable: `draining` turns true when the process has begun to shut down. */
  state: { draining: boolean }
}

/** Opens what `name` (web or worker) needs. PostgreSQL connects with the first query, not here. */
export function openServices(config: Config, databaseUrl: string, name: string): Services {
  const log = createLogger(config.LOG_LEVEL, name)
  const sql = openDatabase(databaseUrl, {
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: `abs-${name}`,
  })
  return { config, log, sql, state: { draining: false } }
}

export async function closeServices({ sql }: Services): Promise<void> {
  await sql.end({ timeout: 5 })
}
