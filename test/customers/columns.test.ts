/**
 * Every column that may contain text is classified, so that no place for personal data is added unnoticed.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { createDatabase } from '../helper.ts'
import { classified, ofCustomers } from './columns.ts'

t.test('every column of text, JSON or bytes is classified', async (t) => {
  const { sql } = await createDatabase(t)
  const rows = await sql<{ name: string }[]>`
    select column_info.table_name || '.' || column_name as name
    from information_schema.columns as column_info
    join information_schema.tables using (table_schema, table_name)
    join pg_class on oid = format('%I.%I', table_schema, table_name)::regclass
    where table_schema = 'public' and table_type = 'BASE TABLE' and not relispartition
      and udt_name in ('text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea', 'xml', '_text', 'tsvector')
    order by name`
  t.same(
    rows.map(({ name }) => name),
    [...classified].sort(),
  )
})

t.test('docs/personal-data.md names every column with customers’ data', async (t) => {
  const document = readFileSync(projectPath('docs', 'personal-data.md'), 'utf8')
  for (const column of [...ofCustomers.erased, ...ofCustomers.kept])
    t.ok(document.includes(`\`${column}\``), column)
})
