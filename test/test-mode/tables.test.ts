/**
 * Every table, and how test mode treats it. A new table fails here until it is classified, and so does a new column of
 * accounts, timeslots or workflows.
 */
import t from 'tap'
import { followedTables, followedTimeslots } from '../../src/test-mode/model.ts'
import { accountColumns } from '../../src/test-mode/queries.ts'
import { createDatabase } from '../helper.ts'

/** Tables of which a test account has copies of the live account's rows. */
const copied = [...followedTables, followedTimeslots].map(({ table }) => table)

/** Tables of which a test account has its own rows. Statements for the live account do not touch them. */
const own = [
  ...['booking_notes', 'business_details', 'closure_calls', 'logos', 'timeslot_moves'],
  ...[
    'api_keys',
    'baskets',
    'booking_words',
    'bookings',
    'email_optouts',
    'emails',
    'erasures',
    'event_counters',
  ],
  ...['event_epoch_starts', 'events', 'idempotency_keys', 'meter_daily', 'meter_entries', 'meter_monthly'],
  ...[
    'partner_calls',
    'owing_bookings',
    'owing_states',
    'payment_events',
    'payment_secrets',
    'payment_settings',
    'refunds',
    'payments',
    'promotion_uses',
    'reservations',
    'sales_marks',
    'sales_payment_totals',
    'sales_place_totals',
    'sales_refund_totals',
    'sales_states',
    'sales_totals',
    'sales_unit_totals',
    'test_email_counts',
    'tickets',
    'tills',
    'undone_refunds',
  ],
  ...['calendar_feeds', 'usage_crossings', 'usage_rejects', 'usage_thresholds', 'waitlist_entries'],
  ...['webhook_deliveries', 'webhook_endpoints', 'webhook_secrets'],
  'workflow_runs',
  // Nobody can sign in to a test account, but an attempt to do so is counted like any other.
  'sign_in_guesses',
]

/** Tables in which only live accounts have rows, because of a constraint or of a foreign key to such a table. */
const live = ['audits', 'sessions', 'sign_in_origins', 'users']

/** Tables whose rows belong to no account. */
const shared = ['event_epochs', 'meter_prunings', 'schema_migrations']

const { sql } = await createDatabase(t)

t.test('every table is classified', async (t) => {
  const rows = await sql<{ table: string }[]>`
    select relname as table from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
  const all = ['accounts', 'test_accounts', ...copied, ...own, ...live, ...shared]
  t.same(rows.map(({ table }) => table).sort(), all.sort())
})

t.test(
  'every table of accounts has the account first in its primary key and in each foreign key',
  async (t) => {
    const keys = await sql<{ table: string; first: string }[]>`
    select relname as table, attname as first from pg_constraint
    join pg_class on pg_class.oid = conrelid
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where connamespace = 'public'::regnamespace and contype in ('p', 'f') and not relispartition`
    for (const table of [...copied, ...own, ...live]) {
      const ofTable = keys.filter((key) => key.table === table)
      t.ok(ofTable.length > 0, table)
      for (const { first } of ofTable) t.equal(first, 'account_id', table)
    }
  },
)

t.test('the schema refuses rows of test accounts in the tables that only live accounts use', async (t) => {
  const [found] = await sql<{ checked: string[]; referring: string[] }[]>`
    select array(
      select conrelid::regclass::text from pg_constraint
      where contype = 'c' and pg_get_constraintdef(oid) like '%(account_id > 0)%') as checked,
    array(
      select conrelid::regclass::text from pg_constraint
      where contype = 'f' and confrelid = 'users'::regclass) as referring`
  t.same([...new Set([...found!.checked, ...found!.referring])].sort(), live)
})

t.test(
  'the test catalogue changes only with the live one: any other change of a row or a copied column is refused',
  async (t) => {
    const triggers = await sql<{ table: string; does: string; columns: string[] }[]>`
    select relname as table, split_part(tgname, '_follow_', 2) as does, array(
      select attname::text from unnest(tgattr::smallint[]) as number
      join pg_attribute on attrelid = tgrelid and attnum = number order by 1
    ) as columns
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgfoid = 'refuse_unless_following'::regproc and tgenabled = 'O'`
    for (const { table, own = [] } of [{ table: 'accounts' }, ...followedTables, followedTimeslots] as {
      table: string
      own?: readonly string[]
    }[]) {
      const columns = await sql<{ name: string }[]>`
      select attname::text as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by 1`
      for (const name of own)
        t.ok(
          columns.some((column) => column.name === name),
          `${table}.${name}`,
        )
      const ofTable = triggers.filter((trigger) => trigger.table === table)
      t.same(ofTable.map(({ does }) => does).sort(), ['delete', 'insert', 'update'], table)
      const guarded = ofTable.find(({ does }) => does === 'update')!.columns
      const followed = columns.map(({ name }) => name).filter((name) => !own.includes(name))
      if (guarded.length > 0) t.same(guarded, followed, `${table}: the columns of its update trigger`)
      // A trigger without columns sees every update. That is right only if a test account's own columns are never
      // updated.
      else if (own.length > 0) t.equal(table, 'schedules')
    }
  },
)

t.test(
  'each column of an account is copied to its test account, or belongs to the test account',
  async (t) => {
    const columns = await sql<{ name: string }[]>`
    select attname::text as name from pg_attribute
    where attrelid = 'accounts'::regclass and attnum > 0 and not attisdropped`
    const all = [...accountColumns, 'account_id', 'slug', 'created_at']
    t.same(
      columns.map(({ name }) => name).sort(),
      [...all, 'product_language'].sort(),
      'product_language is read from the live account',
    )
  },
)

t.test('the schema refuses rows that mix the modes', async (t) => {
  const account = { slug: 'lagos', name: 'Lagos', time_zone: 'Europe/Lisbon' }
  const [made] = await sql<{ id: number }[]>`insert into accounts ${sql(account)} returning account_id as id`
  const refused = { code: '23514' }
  const following = (row: object) =>
    sql.begin(async (tx) => {
      await tx`set local app.following = 'on'`
      await tx`insert into accounts ${tx({ ...account, ...row })}`
    })
  await t.rejects(
    following({ account_id: 77, slug: 'faro.test' }),
    refused,
    'a live account with a test slug',
  )
  await t.rejects(following({ account_id: -77, slug: 'faro' }), refused, 'a test account with a live slug')
  await t.rejects(
    sql`insert into test_accounts (account_id, followed_number) values (${made!.id}, 0)`,
    refused,
  )
  await following({ account_id: -made!.id, slug: 'lagos.test' })
  const user = { account_id: -made!.id, email: 'a@b.c', role: 'owner', password_hash: '' }
  await t.rejects(sql`insert into users ${sql(user)}`, refused, 'a user of a test account')
  await t.rejects(
    sql`update accounts set account_id = 78 where account_id = ${-made!.id}`,
    { code: 'ABT01' },
    'a test account cannot become a live one',
  )
})
