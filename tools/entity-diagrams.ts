/** Makes diagrams of the tables from sql/schema.sql: only keys, one diagram for each group of features. */

type Table = { name: string; types: Map<string, string>; primary: string[]; references: Reference[] }
type Reference = { columns: string[]; table: string }

/** Every table is in a group. A test fails for a new table without one. */
const groups: Record<string, string[]> = {
  'Accounts and access':
    'accounts business_details logos api_keys partners users sessions sign_in_guesses sign_in_origins test_accounts test_email_counts'.split(
      ' ',
    ),
  Catalogue:
    'products units questions schedules timeslots timeslot_moves partner_terms refund_terms product_translations'.split(
      ' ',
    ),
  Bookings:
    'bookings booking_notes booking_words tickets reservations waitlist_entries closure_calls calendar_feeds'.split(
      ' ',
    ),
  'Baskets and payments':
    'baskets payments payment_events payment_secrets payment_settings refunds undone_refunds tills promotions promotion_uses owing_bookings owing_states'.split(
      ' ',
    ),
  Usage:
    'meter_entries meter_daily meter_monthly meter_prunings usage_rejects usage_thresholds usage_crossings'.split(
      ' ',
    ),
  'Events and requests':
    'events event_counters event_epochs event_epoch_starts idempotency_keys partner_calls'.split(' '),
  Messages:
    'emails email_optouts workflows workflow_runs webhook_endpoints webhook_secrets webhook_deliveries'.split(
      ' ',
    ),
  'Reports and audits':
    'sales_totals sales_unit_totals sales_place_totals sales_payment_totals sales_refund_totals sales_states sales_marks audits erasures'.split(
      ' ',
    ),
}

const heading = `# Tables

Made from [sql/schema.sql](../sql/schema.sql) by \`npm run entities\`; a test compares them. The diagrams show only keys and
references. Every table that belongs to an account has \`account_id\` first in its primary key and in every reference; the
diagrams leave this column out. A table that is shown without columns has them in another diagram,
or its only key is \`account_id\`.
`

/** The text of docs/entities.md. @throws when a table is in no group, or a group names an unknown table. */
export function drawEntities(schema: string): string {
  const tables = new Map(readTables(schema).map((table) => [table.name, table]))
  const drawn = Object.values(groups).flat()
  const wrong = [
    ...[...tables.keys()].filter((name) => !drawn.includes(name)),
    ...drawn.filter((name) => !tables.has(name)),
  ]
  if (wrong.length > 0) throw new Error(`tools/entity-diagrams.ts: no group or no table: ${wrong.join(', ')}`)
  const parts = Object.entries(groups).map(([title, names]) => {
    const lines = names.map((name) => tables.get(name)!).flatMap(drawTable)
    return `\n## ${title}\n\n\`\`\`mermaid\nerDiagram\n${lines.join('\n')}\n\`\`\`\n`
  })
  return heading + parts.join('')
}

function readTables(schema: string): Table[] {
  const tables = schema.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)\n\)/gm)
  return [...tables].map(([, name = '', body = '']) => ({
    name,
    types: new Map(
      [...body.matchAll(/^ {2}([a-z]\w*) (\w+)/gm)].map(([, column = '', type = '']) => [column, type]),
    ),
    primary: namesIn(/PRIMARY KEY \(([^)]*)\)/.exec(body)?.[1]),
    references: [...body.matchAll(/FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)/g)].map(
      ([, columns, table = '']) => ({ columns: namesIn(columns), table }),
    ),
  }))
}

function namesIn(list = ''): string[] {
  return list.split(', ').filter((name) => name !== '' && name !== 'account_id')
}

function drawTable({ name, types, primary, references }: Table): string[] {
  const foreign = references.flatMap(({ columns }) => columns)
  const columns = [...new Set([...primary, ...foreign])].map((column) => {
    const marks = [primary.includes(column) && 'PK', foreign.includes(column) && 'FK'].filter(Boolean)
    return `    ${types.get(column)} ${column} ${marks.join(', ')}`
  })
  // Left out: every table references the account.
  const lines = references
    .filter(({ columns }) => columns.length > 0)
    .map(({ columns, table }) => `  ${table} ||--o{ ${name} : "${columns.join(', ')}"`)
  return [...(columns.length > 0 ? [`  ${name} {`, ...columns, '  }'] : [`  ${name}`]), ...lines]
}
