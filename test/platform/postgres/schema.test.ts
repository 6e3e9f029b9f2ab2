/** sql/schema.sql describes the schema that the migrations make, in the same words on Debian's PostgreSQL. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { openDatabase } from '../../../src/platform/postgres/database.ts'
import { migrate } from '../../../src/platform/postgres/migrations.ts'
import { describeSchema, writeSchema } from '../../../src/platform/postgres/schema.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'
import { makeFolder, oneLine, run } from '../../command-line.ts'
import { createCluster, isInstalled } from '../../fleet/debian-postgres.ts'
import { createDatabase } from '../../helper.ts'

const committed = await readFile(projectPath('sql', 'schema.sql'), 'utf8')
const remedy =
  'sql/schema.sql differs: run `npm run --silent cli -- migrate && npm run --silent cli -- schema` and commit it'
const skip = (await isInstalled()) ? false : 'there is no PostgreSQL of Debian here'

t.test('sql/schema.sql describes what the migrations make', async (t) => {
  const { sql } = await createDatabase(t)
  t.equal(await describeSchema(sql), committed, remedy)
})

t.test("the description is the same on Debian's PostgreSQL", { skip }, async (t) => {
  const cluster = await createCluster('schema', path.join(await makeFolder(t), 'data'), ['fsync=off'])
  await cluster.start()
  t.teardown(cluster.stop)
  await migrate(cluster.url)
  const sql = openDatabase(cluster.url, { poolSize: 1, applicationName: 'abs-test' })
  t.teardown(() => sql.end())
  t.equal(await describeSchema(sql), committed, remedy)
})

t.test('partitions and extensions, which migrations do not make, are not described', async (t) => {
  const { sql } = await createDatabase(t)
  await sql`select make_meter_partition('2040-01-01')`
  await sql`create extension if not exists plpgsql`
  await sql`create schema other create table notes (id bigint)`
  t.equal(await describeSchema(sql), committed)
})

t.test('types, domains, sequences, tables, views and comments are described', async (t) => {
  const { sql } = await createDatabase(t)
  await sql.unsafe(`
    create type mood as enum ('calm', 'rough');
    create domain port as integer default 80 not null check (value > 0);
    create sequence coupons as integer increment by 5 minvalue 10 start with 20 cache 2 cycle;
    create table notes (
      id bigint generated always as identity (start with 7) primary key,
      words text collate "C",
      size integer generated always as (length(words)) stored,
      mood mood default 'calm'
    );
    create view calm_notes as select id from notes where mood = 'calm';
    comment on table notes is 'It''s calm.';
    comment on column notes.size is 'In characters.'`)
  const text = await describeSchema(sql)
  const described = [
    "CREATE TYPE mood AS ENUM ('calm', 'rough');",
    'CREATE DOMAIN port AS integer DEFAULT 80 NOT NULL CONSTRAINT port_check CHECK (VALUE > 0);',
    'CREATE SEQUENCE coupons AS integer INCREMENT BY 5 MINVALUE 10 START WITH 20 CACHE 2 CYCLE;',
    '  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY (START WITH 7),',
    '  words text COLLATE "C",',
    '  size integer GENERATED ALWAYS AS (length(words)) STORED,',
    "  mood mood DEFAULT 'calm'::mood,",
    'CREATE VIEW calm_notes AS',
    "COMMENT ON TABLE public.notes IS 'It''s calm.';",
    "COMMENT ON TABLE COLUMN public.notes.size IS 'In characters.';",
  ]
  const lines = text.split('\n')
  for (const line of described) t.ok(lines.includes(line), line)
})

t.test(
  'the schema is written to its file, and the command refuses a database that is not migrated',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const file = path.join(await makeFolder(t), 'schema.sql')
    await writeSchema(sql, file)
    t.equal(await readFile(file, 'utf8'), committed)
    await sql`delete from schema_migrations where version > 0`
    const outcome = await run({ DATABASE_URL: url }, 'schema')
    t.match(outcome, { code: 1, stdout: '', stderr: oneLine })
    t.match(outcome.stderr, /not migrated.*cli -- migrate/)
  },
)
