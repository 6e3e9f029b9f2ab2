/**
 * Describes the schema of a database as text, so that a review sees the result of a migration. The text
 * depends only on the schema: not on PostgreSQL's version, on rows, or on partitions, which are made at run
 * time.
 */
import { writeFile } from 'node:fs/promises'
import { projectPath } from '../project/paths.ts'
import type { Sql } from './database.ts'
import { isMigrated, notMigrated } from './migrated.ts'
import * as queries from './schema-queries.ts'

const heading = `-- The schema that the migrations in this folder make, for reading. It is no migration, and nothing executes it.
-- \`npm run --silent cli -- schema\` writes it; test/platform/postgres/schema.test.ts compares it with the migrations.
`

/**
 * Writes the description of a migrated database to `file`.
 * @throws when the database lacks a migration, or the file cannot be written.
 */
export async function writeSchema(sql: Sql, file = projectPath('sql', 'schema.sql')): Promise<void> {
  if (!(await isMigrated(sql))) throw new Error(notMigrated)
  await writeFile(file, await describeSchema(sql))
}

/** Types, functions, sequences, tables with their indexes and triggers, views and comments, each ordered by name. */
export function describeSchema(sql: Sql): Promise<string> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    // PostgreSQL then writes the names of this schema without `public.`, and all other names with their
    // schema.
    await tx`set local search_path = public`
    const statements = [
      ...(await queries.listTypes(tx)),
      ...(await queries.listFunctions(tx)),
      ...(await queries.listSequences(tx)),
    ]
    const [indexes, triggers] = [await queries.listIndexes(tx), await queries.listTriggers(tx)]
    for (const { table, definition } of await queries.listTables(tx)) {
      const ofTable = [...indexes, ...triggers].filter((part) => part.table === table)
      statements.push([definition, ...ofTable.map((part) => part.definition)].join(';\n'))
    }
    statements.push(...(await queries.listViews(tx)), ...(await queries.listComments(tx)))
    return `${[heading, ...statements.map((statement) => `${statement.trim()};\n`)].join('\n')}`
  })
}
