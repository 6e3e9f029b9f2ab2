/** Queries for sign-in, passwords and old sign-in data use an index, with any number of users and attempts. */
import t from 'tap'
import { disableUser, updatePassword } from '../../src/accounts/users/queries.ts'
import * as signIn from '../../src/accounts/users/sign-in-queries.ts'
import type { Queryable, Transaction } from '../../src/platform/postgres/database.ts'
import { explain } from '../explain.ts'
import { createDatabase, makeCaller } from '../helper.ts'

t.test('no query for sign-in, passwords or deleting old sign-in data reads a whole table', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await sql`
    insert into users (account_id, email, role, password_hash)
    select ${accountId}, n || '@quay.test', 'staff', 'x' from generate_series(1, 1000) as n`
  await sql`
    insert into sign_in_origins (account_id, user_id, about, kind, last_at)
    select account_id, id, sha256((id || kind || n)::bytea), kind, now() - n * interval '4 days'
    from users, generate_series(1, 20) as n, unnest(array['browser', 'address']) as kind`
  await sql`
    insert into sessions (account_id, hash, user_id, expires_at)
    select account_id, sha256(id::text::bytea), id, now() + interval '1 hour' from users`
  await sql`
    insert into sign_in_guesses (account_id, about, guesses, last_at, closed_until, denied)
    select ${accountId}, about, 1, now() - interval '1 hour', now(), false from sign_in_origins`
  await sql`
    insert into calendar_feeds (account_id, user_id, hash)
    select account_id, id, sha256(id::text::bytea) from users`
  await sql`vacuum analyze`

  const [user] = await sql<{ id: number }[]>`select id from users where email = '77@quay.test'`
  const { id } = user!
  const email = '77@quay.test'
  const about = Buffer.alloc(32)
  const origins = [
    { kind: 'browser', about },
    { kind: 'address', about: Buffer.alloc(32, 1) },
  ] as const
  const queries: Record<string, (sql: Queryable) => Promise<unknown>> = {
    'find credentials': (sql) => signIn.findCredentials(sql, accountId, { email, origins }),
    'lock credentials': (sql) =>
      signIn.lockCredentials(sql as Transaction, accountId, { id, passwordHash: 'x' }),
    'store the origins of a sign-in': (sql) =>
      signIn.rememberOrigins(sql as Transaction, accountId, { userId: id, origins, most: 20 }),
    'count a guess': (sql) => signIn.countGuess(sql, accountId, { about, free: 5 }),
    'take back a guess that was right': (sql) => signIn.takeBackGuess(sql, accountId, about),
    'delete guesses': (sql) => signIn.deleteGuesses(sql, accountId, about),
    'change a password': (sql) => updatePassword(sql, { accountId, email, passwordHash: 'y', about }),
    'disable a user': (sql) => disableUser(sql, accountId, id),
    'delete old sign-in data': (sql) => signIn.sweepSignIns(sql),
  }
  for (const [name, query] of Object.entries(queries)) {
    const nodes = await explain(url, query)
    t.ok(nodes.length > 0, name)
    for (const node of nodes) {
      const whole = node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined
      t.notOk(whole, `${name}: ${node['Node Type']} on ${node['Relation Name'] ?? node['Index Name'] ?? '–'}`)
    }
  }
})
