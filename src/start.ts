/**
 * `npm start`: runs the whole service with one command, for a first look. Starts the embedded PostgreSQL if
 * DATABASE_URL is not set, migrates the database, fills it with demo data if it has no account, and runs
 * `web` and `worker` of the Procfile until a signal or a failure. PostgreSQL stops last.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { seedDemo } from './demo/account.ts'
import { sellDemo } from './demo/trade.ts'
import { type Config, childEnvironment, readConfig, servedDatabase } from './platform/config/config.ts'
import { tryProcessLock } from './platform/embedded/process-lock.ts'
import { readOrCreateSecretKey } from './platform/embedded/secret-key.ts'
import { openDatabase } from './platform/postgres/database.ts'
import { migrate } from './platform/postgres/migrations.ts'
import { refuseUnpatchedDriver } from './platform/postgres/patched-driver.ts'
import { endWithParent } from './platform/process/end-with-parent.ts'
import { explain } from './platform/process/explain.ts'
import { listenForStop, type Stop } from './platform/process/stop-signals.ts'
import { startChildren } from './start/children.ts'
import { announce, type Showing } from './start/greeting.ts'
import { localWebhooks } from './start/local-webhooks.ts'
import { awaitPort, localUrl } from './start/port.ts'
import { readProcfile } from './start/procfile.ts'
import { findBookableSlot } from './start/queries.ts'
import { superviseEmbeddedPostgres } from './start/supervised-postgres.ts'

// If the terminal or the reader of a pipe is gone, writing fails. This process must still stop PostgreSQL then.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
const stop = listenForStop()
endWithParent(() => process.kill(process.pid, 'SIGTERM'))
process.exit(await run(stop))

/** The exit code: 0 after a signal, 1 after a failure, which is printed in one line. */
async function run(stop: Stop): Promise<number> {
  try {
    refuseUnpatchedDriver()
    await startAll(readConfig(), stop)
  } catch (error) {
    if (stop.requested.aborted && (error as Error).name === 'AbortError') return 0
    say(explain(error))
    return 1
  }
  return 0
}

async function startAll(config: Config, stop: Stop): Promise<void> {
  const givenUrl = servedDatabase(config)
  const dataDir = path.resolve(config.DATA_DIR)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // Held until this process ends.
  const lock = await tryProcessLock(dataDir, 'start')
  if (!lock) throw new Error(`npm start already runs on ${dataDir}: stop that one, or set another DATA_DIR`)
  const port = await awaitPort(config, say, stop.requested)
  const postgres = givenUrl ? null : await superviseEmbeddedPostgres(dataDir, say)
  try {
    const databaseUrl = givenUrl ?? postgres!.url
    const environment = childEnvironment({
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: config.SECRET_KEY ?? (await readOrCreateSecretKey(dataDir)),
      PORT: String(port),
      ...localWebhooks(config),
      // No load balancer is in front.
      SHUTDOWN_DELAY_SECONDS: '0',
    })
    const showing = await prepare(config.DATABASE_DIRECT_URL ?? databaseUrl, config)
    stop.requested.throwIfAborted()
    const children = startChildren(await readProcfile(['web', 'worker']), environment, say)
    stop.urgent.addEventListener('abort', () => children.kill())
    announce(localUrl(config.HOST, port), showing, stop.requested).catch((error) => say(explain(error)))
    try {
      await Promise.race([stop.whenRequested, children.failed, ...(postgres ? [postgres.failed] : [])])
    } finally {
      await children.stop((config.SHUTDOWN_TIMEOUT_SECONDS + 2) * 1000)
    }
  } finally {
    await postgres?.stop()
  }
}

/**
 * Migrates the database, fills it with demo data if it has no account, and returns what is printed after the
 * start.
 */
async function prepare(databaseUrl: string, config: Config): Promise<Showing> {
  await migrate(databaseUrl)
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-start' })
  try {
    const seeded = await seedDemo(sql, { horizonDays: config.SCHEDULE_HORIZON_DAYS })
    if (seeded) await sellDemo(sql, seeded.key)
    return { demo: seeded, slot: await findBookableSlot(sql) }
  } finally {
    await sql.end()
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
