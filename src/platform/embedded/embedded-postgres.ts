/**
 * An embedded PostgreSQL for machines without one: the programs come from npm, and the cluster is under
 * DATA_DIR. Any number of processes may use it at once: the first one starts it and the last one stops it. If
 * a killed process left a server running, the next process uses that server.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { databaseUrl, ensureCluster, findPostmaster } from './postgres-cluster.ts'
import { lastFatalLine, launchPostgres, shutDownPostgres } from './postgres-server.ts'
import { withProcessLock } from './process-lock.ts'

// Every process that uses the server holds this shared advisory lock until it ends.
const usersLock = 7_241_104
const lockTimeoutMs = 60_000
const startTimeoutMs = 60_000

export type EmbeddedPostgres = {
  /** The URL of the application's database, for the superuser `postgres`. */
  url: string
  /**
   * Resolves if the server ends before `stop` is called. The next start of the server uses the same port if
   * it is free.
   */
  lost: Promise<void>
  /** Shuts the server down and waits until it has ended, unless another process uses it too. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on the data folder, or joins the one that runs. The first start makes the cluster.
 * `durable: false` trades the safety of committed data for speed, for databases that may be lost. It has no
 * effect on a server that runs already.
 * @throws when it does not start within a minute or in ten tries, or refuses the password; with the reason in one line.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  { durable = true } = {},
): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const { client, url } = await withProcessLock(dataDir, 'postgres', lockTimeoutMs, async () => {
    await ensureCluster(dataDir)
    return joinOrLaunch(dataDir, durable)
  })
  let leaving = false
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => leaving || resolve())
  })
  const stop = () => {
    leaving = true
    return withProcessLock(dataDir, 'postgres', lockTimeoutMs, async () => {
      const last = await isLastUser(client)
      await client.end()
      if (last) await shutDownPostgres(dataDir)
    })
  }
  return { url, lost, stop }
}

/** The URL of the PostgreSQL that runs on the data folder; null when none does. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const running = await findPostmaster(dataDir)
  return running && databaseUrl(dataDir, running.port)
}

type Use = { client: pg.Client; url: string }

async function joinOrLaunch(dataDir: string, durable: boolean): Promise<Use> {
  const deadline = Date.now() + startTimeoutMs
  let launched: ChildProcess | null = null
  let failures = 0
  while (Date.now() < deadline) {
    const running = await findPostmaster(dataDir)
    const use = running && (await connect(await databaseUrl(dataDir, running.port)))
    if (use) return use
    if (launched && hasEnded(launched)) {
      // Retry: another process may have taken the port, or a session of a killed server may not have ended
      // yet.
      if (++failures === 10) break
      launched = null
      await delay(300)
    }
    if (!running && !launched) launched = await launchPostgres(dataDir, durable)
    await delay(20)
  }
  throw new Error(`PostgreSQL does not start: ${await lastFatalLine(dataDir)}`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function connect(url: string): Promise<Use | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'abs-user',
    connectionTimeoutMillis: 2000,
  })
  // Errors need no handling here: after each one, the client emits `end`.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared($1)', [usersLock])
    return { client, url }
  } catch (error) {
    const wrongPassword = (error as { code?: string }).code?.startsWith('28')
    if (wrongPassword) throw error
    return null
  }
}

async function isLastUser(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [usersLock])
    const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
      usersLock,
    ])
    return rows[0]?.last === true
  } catch {
    // The query fails only if the server has ended, and with the server all its sessions have ended.
    return true
  }
}
