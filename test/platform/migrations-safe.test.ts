/**
 * Migrations run while the previous version serves requests. This test finds statements that the previous
 * version could not tolerate.
 */
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'

/** Migrations up to this number make the first schema, in an empty database. */
const lastOfFirstSchema = 109

/** Small tables, which are quick to read or lock. */
const small = [
  ...['accounts', 'partners', 'api_keys', 'users', 'sign_in_guesses', 'products', 'questions', 'schedules'],
  ...['workflows', 'email_optouts', 'payment_secrets', 'audits', 'meter_prunings'],
]

type Rule = { pattern: RegExp; fault: string; evenIfSmall?: true }

const rules: Rule[] = [
  {
    pattern: /\bdrop (table|column|view|function|sequence)\b/,
    fault: 'removes what may be in use',
    evenIfSmall: true,
  },
  { pattern: /\brename\b/, fault: 'takes away a name that may be in use', evenIfSmall: true },
  { pattern: /\balter column \w+ (set data )?type\b/, fault: 'changes a type', evenIfSmall: true },
  {
    pattern: /\badd column\b(?=[^,]*\bnot null\b)(?![^,]*\bdefault\b)/,
    fault: 'adds a NOT NULL column without a default',
    evenIfSmall: true,
  },
  { pattern: /\bset not null\b/, fault: 'reads the whole table under a lock' },
  {
    pattern: /\badd column\b[^,]*\b(default (?!(app_)?now\(\))\w+\(|generated\b)/,
    fault: 'rewrites the whole table for its default',
  },
  {
    pattern: /\badd (constraint\b|check\b|foreign key\b|unique\b|primary key\b)(?![^,]*\bnot valid\b)/,
    fault: 'reads the whole table under a lock, unless it is NOT VALID',
  },
  {
    pattern: /^create (unique )?index (?!if not exists\b|concurrently\b)/,
    fault: 'blocks writers while the index is made, unless it may already exist',
  },
  { pattern: /\bconcurrently\b/, fault: 'does not run in a transaction', evenIfSmall: true },
  {
    pattern: /^(update|delete|truncate|lock|vacuum|cluster|reindex)\b/,
    fault: 'works on many rows in one transaction',
  },
]

/**
 * The faults of the statements of a script. Statements just after a comment `-- Safe: …`, and statements on a table
 * that the script creates, have none.
 */
function faultsOf(script: string): string[] {
  const created = [...script.matchAll(/^create table (\w+)/gm)].map(([, table]) => table!)
  return statementsOf(script).flatMap((statement) => {
    const table =
      /^(?:alter table|create (?:unique )?index .*? on|update|delete from|truncate|lock table) (\w+)/.exec(
        statement,
      )?.[1]
    if (table && created.includes(table)) return []
    return rules
      .filter(
        ({ pattern, evenIfSmall }) =>
          pattern.test(statement) && (evenIfSmall || !small.includes(table ?? '')),
      )
      .map(({ fault }) => `${statement.slice(0, 60)}: ${fault}`)
  })
}

/**
 * The statements that the rules may apply to, in lower case and on one line each, without comments and function bodies.
 * Statements marked as safe are left out.
 */
function statementsOf(script: string): string[] {
  return script
    .replace(/\$\$.*?\$\$/gs, '$$$$')
    .replace(/^-- Safe: (?:.*\n)(?:--.*\n)*[^;]*;/gm, '')
    .replace(/--.*$/gm, '')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) =>
      /^(alter|create (unique )?index|drop|update|delete|truncate|lock|vacuum|cluster|reindex)/.test(
        statement,
      ),
    )
}

const files = readdirSync(projectPath('sql')).filter((file) => Number.parseInt(file, 10) > lastOfFirstSchema)
t.test('no migration removes, or locks for long, what the previous version uses', async (t) => {
  for (const file of files) t.same(faultsOf(readFileSync(projectPath('sql', file), 'utf8')), [], file)
})

t.test('statements that the previous version does not tolerate are found', async (t) => {
  const refused = [
    'drop table workflows;',
    'alter table users drop column role;',
    'alter table products rename column name to title;',
    'alter table products alter column name type varchar;',
    'alter table users add column name text not null;',
    'alter table bookings alter column phone set not null;',
    'alter table bookings add column token uuid default gen_random_uuid();',
    'alter table bookings add constraint paid check (unit_price_minor > 0);',
    'create index bookings_by_phone on bookings (account_id, phone);',
    'create index concurrently if not exists bookings_by_phone on bookings (account_id, phone);',
    "update bookings set phone = '';",
    '-- An explanation.\nlock table bookings;',
  ]
  for (const script of refused) t.equal(faultsOf(script).length, 1, script)
})

t.test('statements that are harmless, or marked as safe, are accepted', async (t) => {
  const allowed = [
    'create table notes (id bigint not null);\ncreate index notes_by_id on notes (id);',
    "alter table bookings add column note text not null default '';",
    'alter table bookings add constraint paid check (unit_price_minor > 0) not valid;',
    'create index if not exists bookings_by_phone on bookings (account_id, phone);',
    "update products set description = '';",
    'create function f() returns void language sql as $$ update bookings set phone = null; $$;',
    '-- Safe: nothing reads it since 0.2.\nalter table users drop column role;',
  ]
  for (const script of allowed) t.same(faultsOf(script), [], script)
})
