/**
 * The one PostgreSQL and the one Redis that all tests of a run share: what the environment names, else what this
 * machine can start, else a container. What is in them is others' business, but for an empty, migrated database.
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

/** A PostgreSQL whose URL may create databases. @throws when there is no way to have one. */
export async function openPostgres({ DATABASE_URL }: Config): Promise<Store> {
  if (DATABASE_URL) return { url: DATABASE_URL, stop: async () => {} }
  try {
    return await inTemporaryFolder((folder) => startEmbeddedPostgres(folder, { durable: false }))
  } catch (error) {
    if (await dockerRuns()) return startPostgresContainer()
    throw error
  }
}

/** A durable Redis, or null where there is none to be had. */
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

/** Files in memory, where there is room for some: a database is cloned for each test, and there it takes a tenth. */
async function temporaryRoot(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

/** Uses a store, or none (with an empty URL), and stops it whatever becomes of that. */
export async function withStore<T>(store: Store | null, use: (url: string) => Promise<T>): Promise<T> {
  try {
    return await use(store?.url ?? '')
  } finally {
    await store?.stop()
  }
}

/** A database with the newest schema, for as long as `use` runs. */
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
