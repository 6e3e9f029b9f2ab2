/**
 * Which migrations a database has. This module is separate from migrations.ts, because web and worker processes
 * only read the version, and must not load the code that applies migrations.
 */
import { readdirSync } from 'node:fs'
import { projectPath } from '../project/paths.ts'
import type { Queryable } from './database.ts'

/** The table that records the applied migrations. */
export const schemaTable = 'schema_migrations'
/** The folder of the migrations. */
export const migrationFiles = projectPath('sql')
const versions = readdirSync(migrationFiles)
  .filter((file) => /^\d+\.do\./.test(file))
  .map((file) => Number.parseInt(file, 10))
/** Lower numbers were replaced by this migration and those after it. */
const oldestMigration = Math.min(...versions)
const newestMigration = Math.max(...versions)

/**
 * Whether the database has every migration of this build. It may have newer ones.
 * @throws when PostgreSQL is out of reach.
 */
export async function isMigrated(sql: Queryable): Promise<boolean> {
  if (!(await hasMigrations(sql))) return false
  const [row] = await sql<{ version: number }[]>`select max(version) as version from ${sql(schemaTable)}`
  return (row?.version ?? 0) >= newestMigration
}

async function hasMigrations(sql: Queryable): Promise<boolean> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass(${schemaTable}) is not null as there`
  return table?.there === true
}

/**
 * Refuses a database that was migrated by files that no longer exist.
 * @throws an error whose message says what is wrong and what to do; or an error when PostgreSQL is out of
 * reach.
 */
export async function refuseReplaced(sql: Queryable): Promise<void> {
  if (!(await hasMigrations(sql))) return
  // The table of postgrator begins with version 0.
  const [replaced] = await sql`
    select from ${sql(schemaTable)} where version > 0 and version < ${oldestMigration} limit 1`
  if (replaced)
    throw new Error(
      `the database was made by a version before migration ${oldestMigration} and cannot be upgraded: set DATABASE_URL ` +
        'to an empty database; with npm start, delete the folder DATA_DIR (.data) or set DATA_DIR to another folder',
    )
}

/** What to do when isMigrated() is false. */
export const notMigrated =
  'the database is not migrated to this version, run `npm run --silent cli -- migrate`'
