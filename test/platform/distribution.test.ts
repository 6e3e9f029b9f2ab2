/**
 * The schema can be distributed by account, for example with Citus: nearly every table has account_id in all
 * its keys, so all rows of an account can be on one node and refer only to each other.
 */
import t from 'tap'
import { createDatabase } from '../helper.ts'

/** Tables that are not distributed, with the kind of table that each would be. */
const others: Record<string, string> = {
  accounts: 'a reference table: small, and copied to every node, so that any table may refer to it',
  event_epochs: 'a reference table: a row for each restore and failover, of all accounts at once',
  meter_prunings: 'a reference table: a row for each month that was pruned, of all accounts at once',
  schema_migrations: 'a local table of the coordinator, where migrations run',
}

const { sql } = await createDatabase(t)

/** Trigger functions that only read and write rows of the same account. */
const ofTheirAccount = [
  'refuse_unless_following',
  'follow_owing_booking',
  'follow_owing_sale',
  'follow_owing_basket',
  'forget_agreed_reduction',
  'limit_people_absent',
]

type Key = { table: string; name: string; columns: string[] }
const distributed = ({ table }: { table: string }) => !(table in others)

t.test('every distributed table has account_id, which is never null', async (t) => {
  const tables = await sql<{ table: string; isBigintNotNull: boolean | null }[]>`
    select relname as table, (
      select attnotnull and atttypid = 'bigint'::regtype from pg_attribute
      where attrelid = pg_class.oid and attname = 'account_id') as "isBigintNotNull"
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
  t.ok(tables.length > 20)
  for (const { table, isBigintNotNull } of tables.filter(distributed)) t.ok(isBigintNotNull, table)
  const names = tables.map(({ table }) => table)
  for (const [name, reason] of Object.entries(others)) t.ok(names.includes(name), `${name}: ${reason}`)
})

t.test('primary keys and unique indexes of distributed tables begin with account_id', async (t) => {
  const keys = await sql<(Key & { primary: boolean })[]>`
    select indrelid::regclass::text as table, indexrelid::regclass::text as name, indisprimary as primary,
      array(
        select coalesce(attname, 'an expression')
        from unnest(indkey::smallint[]) with ordinality as key (number, position)
        left join pg_attribute on attrelid = indrelid and attnum = number
        order by position) as columns
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and indisunique`
  for (const { name, columns } of keys.filter(distributed)) t.equal(columns[0], 'account_id', name)
  const [without] = await sql<{ tables: string[] }[]>`
    select coalesce(array_agg(relname), '{}') as tables from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)`
  t.same(without!.tables, [], 'every table has a primary key')
})

t.test('every foreign key stays within its account', async (t) => {
  const keys = await sql<(Key & { target: string; targets: string[] })[]>`
    select conrelid::regclass::text as table, conname as name, confrelid::regclass::text as target,
      array(
        select attname::text from unnest(conkey) with ordinality as key (number, position)
        join pg_attribute on attrelid = conrelid and attnum = number order by position) as columns,
      array(
        select attname::text from unnest(confkey) with ordinality as key (number, position)
        join pg_attribute on attrelid = confrelid and attnum = number order by position) as targets
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`
  t.ok(keys.length > 10)
  for (const { table, name, target, columns, targets } of keys) {
    t.ok(distributed({ table }), `${name}: only distributed tables have foreign keys`)
    t.same([columns[0], targets[0]], ['account_id', 'account_id'], name)
    t.ok(distributed({ table: target }) || target === 'accounts', `${name} leads to ${target}`)
  }
})

t.test('ids are bigints, so that each node can draw from a range of its own', async (t) => {
  const sequences = await sql<{ name: string; type: string }[]>`
    select sequencename as name, data_type::text as type from pg_sequences where schemaname = 'public'`
  t.ok(sequences.length > 10)
  for (const { name, type } of sequences) t.equal(type, 'bigint', name)
})

t.test(
  'the schema has nothing that prevents distribution: triggers that read rows of other accounts, rules, inheritance or exclusions',
  async (t) => {
    const [found] = await sql<Record<'triggers' | 'rules' | 'inheriting' | 'exclusions', string[]>[]>`
    select
      array(select tgname::text from pg_trigger
        where not tgisinternal and tgfoid::regproc::text <> all(${ofTheirAccount}::text[])) as triggers,
      array(select rulename::text from pg_rewrite join pg_class on pg_class.oid = ev_class
        where relnamespace = 'public'::regnamespace) as rules,
      array(select inhrelid::regclass::text from pg_inherits join pg_class on pg_class.oid = inhparent
        where relkind = 'r' and relnamespace = 'public'::regnamespace) as inheriting,
      array(select conname::text from pg_constraint where contype = 'x') as exclusions`
    t.same({ ...found }, { triggers: [], rules: [], inheriting: [], exclusions: [] })
  },
)
