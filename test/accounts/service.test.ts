/** The use cases of accounts and keys. */
import { createHash } from 'node:crypto'
import t from 'tap'
import {
  AccountError,
  createAccount,
  createKey,
  findCaller,
  getAccount,
  KeyNotLiveError,
  listKeys,
  lockAccount,
  revokeKey,
  rotateKey,
} from '../../src/accounts/service.ts'
import { openDatabase } from '../../src/platform/postgres/database.ts'
import { createDatabase, makeCaller } from '../helper.ts'

t.test('accounts', async (t) => {
  const { sql, url } = await createDatabase(t)

  t.test('an account keeps its name and time zone, spelt as PostgreSQL spells the time zone', async (t) => {
    await createAccount(sql, { slug: 'tide', name: 'Tide', timeZone: 'europe/lisbon' })
    t.match(await getAccount(sql, 'tide'), { slug: 'tide', name: 'Tide', timeZone: 'Europe/Lisbon' })
  })

  t.test('two accounts cannot have the same slug, and an unknown slug or time zone is refused', async (t) => {
    const account = { slug: 'tide', name: 'Other', timeZone: 'UTC' }
    await t.rejects(createAccount(sql, account), new AccountError('the account tide already exists'))
    const elsewhere = { ...account, slug: 'a', timeZone: 'Mars/Olympus' }
    await t.rejects(
      createAccount(sql, elsewhere),
      new AccountError('Mars/Olympus is not a known time zone: use an IANA name, for example Europe/Lisbon'),
    )
    await t.rejects(getAccount(sql, 'none'), new AccountError('there is no account none'))
    t.equal((await getAccount(sql, 'tide')).name, 'Tide')
  })

  t.test(
    'transactions that lock the same account run one after the other, and no other transaction waits',
    async (t) => {
      const { id } = await getAccount(sql, 'tide')
      const other = openDatabase(`${url}&lock_timeout=200`, { poolSize: 1, applicationName: 'abs-test' })
      t.teardown(() => other.end())
      await sql.begin(async (tx) => {
        await lockAccount(tx, id)
        await other`insert into partners (account_id, name) values (${id}, 'Atlas')`
        await t.rejects(
          other.begin((tx) => lockAccount(tx, id)),
          { code: '55P03' },
        )
      })
      await other.begin((tx) => lockAccount(tx, id))
    },
  )
})

t.test('keys', async (t) => {
  const { sql } = await createDatabase(t)

  t.test('a key identifies its account, its scopes and its partner', async (t) => {
    const { accountId, token } = await makeCaller(sql, { slug: 'tide', partner: 'Atlas', scopes: ['ota'] })
    const [partner] = await sql<{ id: number }[]>`select id from partners where account_id = ${accountId}`
    const caller = await findCaller(sql, token)
    t.match(caller, { accountId, scopes: ['ota'], timeZone: 'Europe/Lisbon', expiresAt: null })
    t.equal(caller?.partnerId, partner?.id)
  })

  t.test('two keys for the same partner name belong to one partner', async (t) => {
    const first = await makeCaller(sql, { slug: 'reef', partner: 'Atlas' })
    const second = await makeCaller(sql, { slug: 'reef', partner: 'Atlas' })
    const callers = [await findCaller(sql, first.token), await findCaller(sql, second.token)]
    t.ok(callers[0]?.partnerId)
    t.equal(callers[0]?.partnerId, callers[1]?.partnerId)
    t.not(callers[0]?.keyId, callers[1]?.keyId)
  })

  t.test('only the SHA-256 hash of a key is stored', async (t) => {
    const { accountId, token } = await makeCaller(sql, { slug: 'kelp' })
    const [kept] = await sql<{ hash: Buffer; row: string }[]>`
      select hash, api_keys::text as row from api_keys where account_id = ${accountId}`
    t.same(kept?.hash, createHash('sha256').update(token).digest())
    t.notMatch(kept?.row, token.slice(-43))
  })

  t.test('a key is not valid with the ID of another account in it', async (t) => {
    const one = await makeCaller(sql, { slug: 'one' })
    const two = await makeCaller(sql, { slug: 'two' })
    const forged = one.token.replace(`abs_${one.accountId}_`, `abs_${two.accountId}_`)
    t.ok(await findCaller(sql, one.token))
    t.equal(await findCaller(sql, forged), null)
  })

  t.test('a key is not valid once it has expired', async (t) => {
    const { accountId } = await makeCaller(sql, { slug: 'ebb' })
    const request = { accountId, partner: null, scopes: ['operator'] as const }
    const token = await createKey(sql, { ...request, expiresInDays: 3 })
    const caller = await findCaller(sql, token)
    const days = (caller!.expiresAt!.getTime() - Date.now()) / 86_400_000
    t.ok(days > 2.99 && days < 3.01, 'it expires after the requested number of days')

    await sql`update api_keys set expires_at = app_now() where id = ${caller!.keyId}`
    t.equal(await findCaller(sql, token), null)
    t.match((await listKeys(sql, accountId)).at(-1), { id: caller!.keyId, status: 'expired' })
  })

  t.test('a revoked key is not valid, and revoking it again changes nothing', async (t) => {
    const { accountId, token } = await makeCaller(sql, { slug: 'flow' })
    const { keyId } = (await findCaller(sql, token))!
    t.equal(await revokeKey(sql, keyId), true)
    t.equal(await findCaller(sql, token), null)
    const [revoked] = await listKeys(sql, accountId)
    t.match(revoked, { id: keyId, status: 'revoked', revokedAt: Date })
    t.equal(await revokeKey(sql, keyId), false)
    t.same(await listKeys(sql, accountId), [revoked], 'the time stays that of the first revocation')
  })

  t.test('a rotated key stays valid for its overlap, beside the key that replaces it', async (t) => {
    const { accountId, token } = await makeCaller(sql, { slug: 'spring', partner: 'Atlas', scopes: ['ota'] })
    const old = (await findCaller(sql, token))!
    const next = await sql.begin((tx) => rotateKey(tx, old.keyId, { overlapHours: 24 }))
    const { keyId, partnerId, scopes, expiresAt } = (await findCaller(sql, next))!
    t.match({ partnerId, scopes, expiresAt }, { partnerId: old.partnerId, scopes: ['ota'], expiresAt: null })
    const ending = (await findCaller(sql, token))!
    const hours = (ending.expiresAt!.getTime() - Date.now()) / 3_600_000
    t.ok(hours > 23.9 && hours < 24.1)
    t.match(await listKeys(sql, accountId), [{ successorId: keyId }, { successorId: null, status: 'live' }])

    await sql`update api_keys set expires_at = app_now() where id = ${old.keyId}`
    t.equal(await findCaller(sql, token), null)
    t.ok(await findCaller(sql, next))
  })

  t.test(
    'a rotated key with an expiry is replaced by one with the same lifetime, and expires no later than before',
    async (t) => {
      const { accountId } = await makeCaller(sql, { slug: 'slack' })
      const request = { accountId, partner: null, scopes: ['operator'] as const }
      const token = await createKey(sql, { ...request, expiresInDays: 30 })
      const old = (await findCaller(sql, token))!
      const next = await sql.begin((tx) => rotateKey(tx, old.keyId, { overlapHours: 24 * 60 }))
      t.same((await findCaller(sql, token))!.expiresAt, old.expiresAt)
      const days = ((await findCaller(sql, next))!.expiresAt!.getTime() - Date.now()) / 86_400_000
      t.ok(days > 29.99 && days < 30.01)
    },
  )

  t.test(
    'only the first of several requests rotates a key; a revoked key or a key of another account is not rotated',
    async (t) => {
      const { accountId, token } = await makeCaller(sql, { slug: 'neap' })
      const { keyId } = (await findCaller(sql, token))!
      const rotate = (id = keyId, ofAccount = accountId) =>
        sql.begin((tx) => rotateKey(tx, id, { overlapHours: 1, accountId: ofAccount }))
      const all = await Promise.allSettled([rotate(), rotate(), rotate()])
      t.equal(all.filter(({ status }) => status === 'fulfilled').length, 1)
      await t.rejects(rotate(), /was already rotated: key \d+ replaces it/)
      const [, made] = await listKeys(sql, accountId)
      await revokeKey(sql, made!.id)
      await t.rejects(rotate(made!.id), new KeyNotLiveError(`key ${made!.id} is revoked: create a new one`))
      await t.rejects(rotate(keyId, accountId + 1), new AccountError(`there is no key ${keyId}`))
      t.equal((await listKeys(sql, accountId)).length, 2)
    },
  )

  t.test('a key that does not exist cannot be revoked', async (t) => {
    await t.rejects(revokeKey(sql, 987_654), new AccountError('there is no key 987654'))
  })

  t.test('a list of keys has no secrets, and no keys of other accounts', async (t) => {
    const { accountId, token } = await makeCaller(sql, { slug: 'list', partner: 'Atlas', scopes: ['ota'] })
    const keys = await listKeys(sql, accountId)
    t.equal(keys.length, 1)
    t.match(keys[0], { partner: 'Atlas', scopes: ['ota'], status: 'live' })
    t.notMatch(JSON.stringify(keys), token.slice(-43))
    t.notOk('hash' in keys[0]!)
  })
})
