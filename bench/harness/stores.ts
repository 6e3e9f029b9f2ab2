/**
 * The PostgreSQL and the Redis of a run, both as durable as in production, and a new database for each part,
 * so that no part is slowed by the rows of another.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.ts'
import { findPostmaster } from '../../src/platform/embedded/postgres-cluster.ts'
import { openDatabase, type Sql } from '../../src/platform/postgres/database.ts'
import { migrate } from '../../src/platform/postgres/migrations.ts'
import { startRedisServer } from '../../test/redis-server.ts'

export type Stores = {
  postgresUrl: string
  redisUrl: string
  /** The processes of the stores, without their children. */
  pids: StorePids
  stop(): Promise<void>
}
export type StorePids = { PostgreSQL: number[]; Redis: number[] }

/** The stores of a part: a migrated database and a Redis database of its own. */
export type Workplace = {
  pids: StorePids
  databaseUrl: string
  redisUrl: string
  sql: Sql
  redis: Redis
  close(): Promise<void>
}

/** @throws when there is no redis-server on the PATH. */
export async function startStores(): Promise<Stores> {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-bench-'))
  const redis = await startRedisServer(folder, { more: ['--databases', '64'] })
  if (!redis) throw new Error('redis-server is not on the PATH (on Debian: apt-get install redis-server)')
  const postgres = await startEmbeddedPostgres(folder)
  const postmaster = await findPostmaster(folder)
  return {
    postgresUrl: postgres.url,
    redisUrl: redis.url,
    pids: { PostgreSQL: [postmaster!.pid], Redis: [redis.pid] },
    async stop() {
      await redis.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let opened = 0

/** @param bringUp makes the schema, for a checkout other than this one. */
export async function openWorkplace(
  { postgresUrl, redisUrl, pids }: Stores,
  name: string,
  bringUp: (databaseUrl: string) => Promise<unknown> = migrate,
): Promise<Workplace> {
  const admin = openDatabase(postgresUrl, { poolSize: 1, applicationName: 'abs-bench' })
  const database = `bench_${name}`
  await admin`drop database if exists ${admin(database)} with (force)`
  await admin`create database ${admin(database)}`
  const databaseUrl = urlOf(postgresUrl, database)
  await bringUp(databaseUrl)
  const sql = openDatabase(databaseUrl, { poolSize: 4, applicationName: 'abs-bench' })
  const ownRedisUrl = `${redisUrl}/${++opened}`
  const redis = new Redis(ownRedisUrl)
  return {
    pids,
    databaseUrl,
    redisUrl: ownRedisUrl,
    sql,
    redis,
    async close() {
      await sql.end({ timeout: 5 })
      await redis.flushdb()
      redis.disconnect()
      await admin`drop database ${admin(database)} with (force)`
      await admin.end()
    },
  }
}

export async function readVersions({ postgresUrl, redisUrl }: Stores) {
  const sql = openDatabase(postgresUrl, { poolSize: 1, applicationName: 'abs-bench' })
  const redis = new Redis(redisUrl)
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  const info = await redis.info('server')
  redis.disconnect()
  await sql.end()
  return { postgres: row!.version, redis: /redis_version:(\S+)/.exec(info)![1]! }
}

/** The same server, with another database. */
export function urlOf(postgresUrl: string, database: string): string {
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Bytes that Redis uses for its present data. */
export async function redisBytes(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1])
}

/** Bytes of every table and index of the database, without those of PostgreSQL itself. */
export async function postgresBytes(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint as bytes
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema')`
  return row!.bytes
}
