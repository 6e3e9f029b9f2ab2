/** SQL of accounts, partners and API keys. Other features join these tables in their own SQL. */
import { defaultLocale, languageOf } from '../languages/locales.ts'
import type { Queryable, Transaction } from '../platform/postgres/database.ts'
import { type Caller, type Scope, testAccountOf } from './model.ts'

export type Account = { id: number; slug: string; name: string; timeZone: string; createdAt: Date }

/** Null when the slug is taken. */
export async function insertAccount(
  sql: Queryable,
  account: { slug: string; name: string; timeZone: string },
): Promise<Account | null> {
  const [made] = await sql<Account[]>`
    insert into accounts (slug, name, time_zone)
    values (${account.slug}, ${account.name}, ${account.timeZone})
    on conflict (slug) do nothing
    returning ${accountColumns(sql)}`
  return made ?? null
}

export async function updateCountry(
  sql: Queryable,
  accountId: number,
  country: string | null,
): Promise<void> {
  await sql`update accounts set country = ${country} where account_id = ${accountId}`
}

/** Live accounts. */
export function listAccounts(sql: Queryable): Promise<Account[]> {
  return sql<Account[]>`select ${accountColumns(sql)} from accounts where account_id > 0 order by slug`
}

/** The ids of all accounts, test accounts too. */
export async function listAccountIds(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select account_id as id from accounts order by account_id`
  return rows.map(({ id }) => id)
}

/**
 * Returns one row with the longest time since a test account was last updated, in seconds; 0 if there is
 * none.
 */
export function findTestLag(sql: Queryable) {
  return sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(followed_at)), 0)::float8 as seconds
    from test_accounts`
}

export async function findAccount(sql: Queryable, slug: string): Promise<Account | null> {
  const [account] = await sql<Account[]>`select ${accountColumns(sql)} from accounts where slug = ${slug}`
  return account ?? null
}

/** Whether this is the only live account. */
export async function isOnlyAccount(sql: Queryable, accountId: number): Promise<boolean> {
  const others = await sql`select from accounts where account_id > 0 and account_id <> ${accountId} limit 1`
  return others.length === 0
}

/** Locks the account until the transaction ends: other calls of this function for it wait. */
export async function lockAccount(tx: Transaction, accountId: number): Promise<void> {
  // `for no key update`: inserts of rows that refer to the account do not wait, so bookings continue.
  await tx`select from accounts where account_id = ${accountId} for no key update`
}

/** Locks the table against new accounts until the transaction ends. */
export async function lockAccountsTable(tx: Transaction): Promise<void> {
  await tx`lock table accounts in share row exclusive mode`
}

function accountColumns(sql: Queryable) {
  return sql`account_id as id, slug, name, time_zone as "timeZone", created_at as "createdAt"`
}

/** The id of the account's partner with this name. A partner that does not exist is created. */
export async function insertPartner(sql: Queryable, accountId: number, name: string): Promise<number> {
  // DO NOTHING would return no row for an existing name. Setting the name to itself returns the existing row.
  const [partner] = await sql<{ id: number }[]>`
    insert into partners (account_id, name) values (${accountId}, ${name})
    on conflict (account_id, name) do update set name = excluded.name
    returning id`
  return partner!.id
}

export type NewKeyRow = {
  accountId: number
  partnerId: number | null
  hash: Buffer
  scopes: readonly Scope[]
  expiresInDays: number | null
}

export async function insertKey(sql: Queryable, key: NewKeyRow): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into api_keys (account_id, partner_id, hash, scopes, expires_at)
    values (${key.accountId}, ${key.partnerId}, ${key.hash}, ${[...key.scopes]},
      app_now() + make_interval(days => ${key.expiresInDays}))
    returning id`
  return made!.id
}

/**
 * The callers of the valid keys among these, with the hash of the key. Unknown, expired and revoked keys are
 * left out.
 */
export function listCallers(sql: Queryable, keys: { accountId: number; hash: string }[]) {
  return sql<(Caller & { hash: string })[]>`
    select api_keys.account_id as "accountId", api_keys.id as "keyId", partner_id as "partnerId", scopes,
      accounts.time_zone as "timeZone", coalesce(live.product_language, left(details.locale, 2), ${languageOf(defaultLocale)}) as language, expires_at as "expiresAt", given.hash
    from unnest(
      ${keys.map(({ accountId }) => accountId)}::bigint[],
      ${keys.map(({ hash }) => hash)}::text[]
    ) as given (account_id, hash)
    join api_keys on api_keys.account_id = given.account_id and api_keys.hash = decode(given.hash, 'hex')
    join accounts on accounts.account_id = api_keys.account_id
    join accounts as live on live.account_id = abs(api_keys.account_id)
    left join business_details as details on details.account_id = live.account_id
    where revoked_at is null and (expires_at is null or expires_at > app_now())`
}

export type KeyRecord = {
  id: number
  partner: string | null
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** With a precision of a few minutes; null if the key was never used, or only before uses were recorded. */
  lastUsedAt: Date | null
  status: 'live' | 'expired' | 'revoked'
  isTest: boolean
  /** After a rotation, the id of the key that replaces this key; otherwise null. */
  successorId: number | null
}

/**
 * The keys of a live account and of its test account, or only those of a test account; oldest first, without
 * secrets.
 */
export function listKeys(sql: Queryable, accountId: number): Promise<KeyRecord[]> {
  return sql<KeyRecord[]>`
    select api_keys.id, partners.name as partner, scopes, api_keys.created_at as "createdAt",
      expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
      successor_id as "successorId", api_keys.account_id < 0 as "isTest", ${keyStatus(sql)} as status
    from api_keys left join partners
      on partners.account_id = api_keys.account_id and partners.id = api_keys.partner_id
    where api_keys.account_id = any(${[accountId, testAccountOf(accountId)]}::bigint[])
    order by api_keys.id`
}

function keyStatus(sql: Queryable) {
  return sql`case when revoked_at is not null then 'revoked'
    when expires_at <= app_now() then 'expired' else 'live' end`
}

export type ExistingKey = { accountId: number; status: KeyRecord['status']; successorId: number | null }

/**
 * Locks a key, so that it can be replaced; null if there is none. If `accountId` is given, the key must
 * belong to this account or its test account.
 */
export async function lockKey(tx: Transaction, id: number, accountId?: number): Promise<ExistingKey | null> {
  const [key] = await tx<ExistingKey[]>`
    select account_id as "accountId", successor_id as "successorId", ${keyStatus(tx)} as status
    from api_keys where id = ${id} ${ofEither(tx, accountId)}
    for update`
  return key ?? null
}

/**
 * Makes a key with the partner, scopes and lifetime of a locked key. The locked key then ends after this many
 * hours, or at its earlier expiry.
 */
export async function replaceKey(
  tx: Transaction,
  {
    accountId,
    id,
    hash,
    overlapHours,
  }: { accountId: number; id: number; hash: Buffer; overlapHours: number },
): Promise<void> {
  const [made] = await tx<{ id: number }[]>`
    insert into api_keys (account_id, partner_id, hash, scopes, expires_at)
    select account_id, partner_id, ${hash}, scopes, app_now() + (expires_at - created_at)
    from api_keys where account_id = ${accountId} and id = ${id}
    returning id`
  await tx`
    update api_keys set successor_id = ${made!.id},
      expires_at = least(expires_at, app_now() + ${overlapHours} * interval '1 hour')
    where account_id = ${accountId} and id = ${id}`
}

/**
 * `revokedNow` is false if the key had been revoked before. Null if there is no such key. If `accountId` is
 * given, the key must belong to this account or its test account.
 */
export async function revokeKey(
  sql: Queryable,
  id: number,
  accountId?: number,
): Promise<{ revokedNow: boolean } | null> {
  const ours = ofEither(sql, accountId)
  const [key] = await sql<{ revokedNow: boolean }[]>`
    with revoked as (
      update api_keys set revoked_at = now() where id = ${id} ${ours} and revoked_at is null returning id
    )
    select exists (select from revoked) as "revokedNow" from api_keys where id = ${id} ${ours}`
  return key ?? null
}

/** If `accountId` is given, limits keys to this account and its test account. */
function ofEither(sql: Queryable, accountId: number | undefined) {
  if (accountId === undefined) return sql``
  return sql`and account_id = any(${[accountId, testAccountOf(accountId)]}::bigint[])`
}

/** Records that these keys are used now, except those recorded in the last two minutes. */
export async function touchKeys(sql: Queryable, keys: Pick<Caller, 'accountId' | 'keyId'>[]): Promise<void> {
  // A row that another transaction has locked is skipped, because most such transactions write the same
  // value.
  await sql`
    with used as (
      select api_keys.account_id, api_keys.id
      from unnest(
        ${keys.map(({ accountId }) => accountId)}::bigint[],
        ${keys.map(({ keyId }) => keyId)}::bigint[]
      ) as given (account_id, id)
      join api_keys on api_keys.account_id = given.account_id and api_keys.id = given.id
      where last_used_at is null or last_used_at < now() - interval '2 minutes'
      for no key update of api_keys skip locked
    )
    update api_keys set last_used_at = now() from used
    where api_keys.account_id = used.account_id and api_keys.id = used.id`
}

export type Partner = { id: number; name: string }

export function listPartners(sql: Queryable, accountId: number) {
  return sql<Partner[]>`select id, name from partners where account_id = ${accountId} order by name`
}
