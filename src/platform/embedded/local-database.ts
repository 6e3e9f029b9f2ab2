/** The database of a command that runs beside `npm start`, or alone. */
import type { Config } from '../config/config.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { hasCluster } from './postgres-cluster.ts'

/**
 * Runs `use` with DATABASE_DIRECT_URL or DATABASE_URL, or else with the URL of the PostgreSQL under DATA_DIR.
 * Starts that PostgreSQL if it does not run. The last process that uses it stops it afterwards, also after a
 * signal.
 * @param onSignal `exit` stops the PostgreSQL and exits with status 130. Use `continue` if `use` itself ends
 * after a signal and needs the database until then.
 */
export async function withDatabaseUrl<T>(
  config: Config,
  use: (url: string) => Promise<T>,
  onSignal: 'exit' | 'continue' = 'exit',
): Promise<T> {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  if (url) return use(url)
  // The message helps somebody who forgot to set DATA_DIR, and would not find an account that is in another folder.
  if (!(await hasCluster(config.DATA_DIR)))
    process.stderr.write(`There is no database under ${config.DATA_DIR} yet: a new one is created.\n`)
  const postgres = await startEmbeddedPostgres(config.DATA_DIR)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= postgres.stop()
    return stopped
  }
  const stopAndExit = () => stop().finally(() => process.exit(130))
  if (onSignal === 'exit') process.on('SIGINT', stopAndExit).on('SIGTERM', stopAndExit)
  try {
    return await use(postgres.url)
  } finally {
    await stop()
    process.off('SIGINT', stopAndExit).off('SIGTERM', stopAndExit)
  }
}
