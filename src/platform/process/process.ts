/** What every long-running process does: read the configuration, start, and stop in time. */
import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { type Config, ConfigError, readConfig, servedDatabase } from '../config/config.ts'
import { findEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import type { TimeoutProfile } from '../postgres/database.ts'
import { refuseUnfit } from '../postgres/fit-database.ts'
import { refuseUnpatchedDriver } from '../postgres/patched-driver.ts'
import { endWithParent } from './end-with-parent.ts'
import { explain } from './explain.ts'
import { listenForStop, stopSignals } from './stop-signals.ts'

export type Running = { log: Logger; close: () => Promise<unknown> }

/**
 * Starts the process and stops it at SIGTERM, SIGINT, SIGHUP, an uncaught error, or the end of its parent. It
 * must close within the sum of SHUTDOWN_DELAY_SECONDS and SHUTDOWN_TIMEOUT_SECONDS. Another signal, more than
 * a second after the first, ends it immediately. If the configuration has errors or the start fails, the
 * process prints one line and exits with status 1.
 * @param timeouts the statement timeouts of the process, which a pooler must allow.
 */
export async function runProcess(
  timeouts: TimeoutProfile,
  start: (config: Config, databaseUrl: string) => Promise<Running>,
): Promise<void> {
  disablePretenuring()
  try {
    refuseUnpatchedDriver()
    const config = readConfig()
    const databaseUrl = await databaseUrlOf(config)
    await refuseUnfit(databaseUrl, config.DATABASE_POOL_MODE, timeouts)
    const { log, close } = await start(config, databaseUrl)
    const seconds = config.SHUTDOWN_DELAY_SECONDS + config.SHUTDOWN_TIMEOUT_SECONDS
    const options = { delay: seconds * 1000, logger: log, skip: [...stopSignals] }
    const grace = closeWithGrace(options, async ({ err }) => {
      if (err) log.fatal({ err }, 'stopping after an uncaught error')
      await close()
    })
    // closeWithGrace() ignores these signals, because its listeners would count one Ctrl-C twice: it comes from
    // the terminal and from npm.
    const { whenRequested, urgent } = listenForStop()
    whenRequested.then(() => grace.close())
    urgent.addEventListener('abort', () => process.exit(1))
    endWithParent(() => grace.close())
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

/**
 * Disables V8's pretenuring. When many requests wait, V8 would take their objects for long-lived ones and
 * allocate new ones in the old generation, where each keeps everything it refers to until a full collection:
 * four times the memory, and a quarter more processor time.
 */
function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

async function databaseUrlOf(config: Config): Promise<string> {
  const url = servedDatabase(config) ?? (await findEmbeddedPostgres(config.DATA_DIR))
  if (!url)
    throw new ConfigError(
      'DATABASE_URL is not set, and no PostgreSQL runs under DATA_DIR: set DATABASE_URL, or use npm start',
    )
  return url
}
