/**
 * The PostgreSQL and the Redis that all tests of a run share: those of the environment, else those that this
 * machine can start, else containers. PostgreSQL gets an empty, migrated database.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Config } from '../src/platform/config/config.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded/embedded-postgres.ts'
import { openDatabase } from '../src/platform/postgres/database.ts'
import { migrate } from '../src/platform/postgres/migrations.ts'
import { startRedisServer } from './redis-server.ts'
import { dockerRuns, startPostgresContainer, startRedisContainer } from './store-containers.ts'

export type Store = { url: string; stop: () => Promise<unknown> }

/** A PostgreSQL in which the user of the URL may create databases. @throws when none can be started. */
export async function openPostgres({ DATABASE_URL }: Config): Promise<Store> {
  if (DATABASE_URL) return { url: DATABASE_URL, stop: async () => {} }
  try {
    return await inTemporaryFolder((folder) => startEmbeddedPostgres(folder, { durable: false }))
  } catch (error) {
    if (await dockerRuns()) return startPostgresContainer()
    throw error
  }
}

/** The Redis of the environment, else a durable one; null if none can be started. */
export async function openRedis({ REDIS_URL }: Config): Promise<Store | null> {
  if (REDIS_URL) return { url: REDIS_URL, stop: async () => {} }
  const own = await inTemporaryFolder((folder) => startRedisServer(folder))
  return own ?? ((await dockerRuns()) ? startRedisContainer() : null)
}

async function inTemporaryFolder<T extends Store | null>(start: (folder: string) => Promise<T>) {
  const folder = await mkdtemp(path.join(await temporaryRoot(), 'abs-test-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const store = await start(folder)
    if (!store) await remove()
    return store && { url: store.url, stop: () => store.stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * A folder in memory, if there is room: a database is cloned for each test, and in memory that takes a tenth
 * of the time.
 */
async function temporaryRoot(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

/** Uses a store, or none (with an empty URL), and always stops it. */
export async function withStore<T>(store: Store | null, use: (url: string) => Promise<T>): Promise<T> {
  try {
    return await use(store?.url ?? '')
  } finally {
    await store?.stop()
  }
}

/** Creates a database with the newest schema, and drops it when `use` has ended. */
export async function withMigrated<T>(
  databaseUrl: string,
  use: (name: string, url: string) => Promise<T>,
): Promise<T> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-test-run' })
  const name = `template_${randomBytes(8).toString('hex')}`
  try {
    await sql`create database ${sql(name)}`
    const url = new URL(databaseUrl)
    url.pathname = `/${name}`
    await migrate(url.href)
    return await use(name, url.href)
  } finally {
    await sql`drop database if exists ${sql(name)} with (force)`.catch(() => {})
    await sql.end()
  }
}
