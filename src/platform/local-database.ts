/** The database of a command that may run beside `npm start` or alone. */
import type { Config } from './config.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

/**
 * Runs `use` with the URL of DATABASE_URL, or else of the PostgreSQL under DATA_DIR, which is started for as long
 * as it is needed when nobody runs it yet. Any number of callers may do so at once. Told to end meanwhile, it
 * still stops what it started.
 */
export async function withDatabaseUrl<T>(config: Config, use: (url: string) => Promise<T>): Promise<T> {
  if (config.DATABASE_URL) return use(config.DATABASE_URL)
  const postgres = await startEmbeddedPostgres(config.DATA_DIR)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= postgres.stop()
    return stopped
  }
  const stopAndExit = () => stop().finally(() => process.exit(130))
  process.on('SIGINT', stopAndExit).on('SIGTERM', stopAndExit)
  try {
    return await use(postgres.url)
  } finally {
    await stop()
    process.off('SIGINT', stopAndExit).off('SIGTERM', stopAndExit)
  }
}
