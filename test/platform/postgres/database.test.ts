/** What becomes of questions when connections break: each is answered or fails, and touches nobody else's. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import t, { type Test } from 'tap'
import { within } from '../../../src/platform/async/deadline.ts'
import {
  type DatabaseOptions,
  findPoolUse,
  isOutOfReach,
  openDatabase,
  type Sql,
} from '../../../src/platform/postgres/database.ts'
import { createDatabase } from '../../helper.ts'
import { proxyTo } from '../../proxy.ts'
import { until } from '../../until.ts'

function open(t: Test, url: string, options: Partial<DatabaseOptions> = {}): Sql {
  const sql = openDatabase(url, {
    poolSize: 1,
    applicationName: 'abs-test',
    patience: 'request',
    ...options,
  })
  t.teardown(() => sql.end({ timeout: 1 }))
  return sql
}

/** A pool that reaches its database through a proxy, beside one that does not. */
async function behindProxy(t: Test, options: Partial<DatabaseOptions> = {}) {
  const { sql: direct, url } = await createDatabase(t)
  const proxy = await proxyTo(t, url)
  return { direct, sql: open(t, proxy.url, options), ...proxy }
}

const soon = <T>(work: Promise<T>) => within(20_000, work, () => new Error('never answered'))
const answers = (sql: Sql) =>
  sql`select 1`.then(
    () => true,
    () => false,
  )

t.test('a transaction whose connection broke does nothing more, though that stands again', async (t) => {
  const { direct, sql, cut, restore } = await behindProxy(t)
  await direct`create table marks (part integer)`
  let goOn = () => {}
  const broken = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const parts: Promise<unknown>[] = []
  const transaction = sql.begin(async (tx) => {
    await tx`insert into marks values (1)`
    parts.push(broken.then(() => tx`insert into marks values (2)`))
    return parts[0]
  })
  transaction.catch(() => {})
  await until(() => parts.length > 0)
  await cut()
  await restore()
  await t.rejects(soon(transaction), { code: 'CONNECTION_CLOSED' })
  await until(() => answers(sql))
  goOn()
  await t.rejects(soon(parts[0]!), { code: 'CONNECTION_CLOSED' })
  t.same(await direct`select part from marks`, [])
})

t.test('what is asked again as soon as its connection fell silent is answered by a new one', async (t) => {
  const { sql, freeze } = await behindProxy(t, { poolSize: 4, silence: 500 })
  const ask = async (number: number) => {
    const [row] = await sql`select ${number}::integer as number, pg_sleep(0.05)`
    return row!.number
  }
  const askAll = (again: (error: unknown, number: number) => Promise<number>) =>
    Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((number) => ask(number).catch((error) => again(error, number))))
  await askAll(Promise.reject)
  freeze()
  const answered = await soon(
    askAll((error, number) => (isOutOfReach(error) ? ask(number) : Promise.reject(error))),
  )
  t.same(answered, [1, 2, 3, 4, 5, 6, 7, 8])
})

t.test('transactions begun again at once as connections break are all done, each once', async (t) => {
  const { direct, sql, freeze } = await behindProxy(t, { poolSize: 4, silence: 500 })
  await direct`create table marks (number integer, part integer)`
  const mark = (number: number) =>
    sql.begin(async (tx) => {
      await tx`insert into marks values (${number}, 1)`
      await tx`insert into marks values (${number}, 2)`
    })
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  await Promise.all(numbers.map(mark))
  await direct`truncate marks`
  freeze()
  await soon(Promise.all(numbers.map((number) => mark(number).catch(() => mark(number)))))
  t.same(
    await direct`select number, count(*)::integer as parts from marks group by number order by number`,
    numbers.map((number) => ({ number, parts: 2 })),
  )
})

t.test('a value that cannot be sent fails its own question, and not those beside it', async (t) => {
  const { url } = await createDatabase(t)
  const sql = open(t, url)
  await sql`select 1`
  const [before, wrong, after] = await soon(
    Promise.allSettled([
      sql`select 'before' as text`,
      sql`select ${undefined as never}::text as text`,
      sql`select 'after' as text`,
    ]),
  )
  t.match(before, { status: 'fulfilled', value: [{ text: 'before' }] })
  t.match(wrong, { status: 'rejected', reason: { code: 'UNDEFINED_VALUE' } })
  t.match(after, { status: 'fulfilled', value: [{ text: 'after' }] })
})

t.test('a server that hangs up before a word, and a network that is away, fail the question', async (t) => {
  const server = createServer((socket) => socket.on('error', () => {}).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  // TCP reaches nobody by broadcast, so the system says at once that there is no way.
  for (const host of [`127.0.0.1:${port}`, '255.255.255.255:5432']) {
    const sql = open(t, `postgres://nobody@${host}/none`)
    for (const question of [sql`select 1`, sql`select 2`]) await t.rejects(soon(question))
  }
})

t.test('closing the pool waits for no connection that broke', async (t) => {
  const { direct, sql, cut } = await behindProxy(t)
  const asked = sql`select pg_sleep(30)`.catch((error) => error.code)
  await until(async () => {
    const [found] = await direct`
      select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    return found !== undefined
  })
  const closed = sql.end()
  await cut()
  await soon(closed)
  t.equal(await asked, 'CONNECTION_CLOSED')
})

t.test('a pool tells how its connections are used, and how many questions wait for one', async (t) => {
  const { url } = await createDatabase(t)
  const sql = open(t, url, { poolSize: 2 })
  t.same(findPoolUse(sql), { idle: 0, used: 0, waiting: 0 })
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const transactions = [1, 2].map(() => sql.begin(() => ended))
  await until(() => findPoolUse(sql).used === 2)
  const questions = [1, 2, 3].map(() => answers(sql))
  await until(() => findPoolUse(sql).waiting === 3)
  t.same(findPoolUse(sql), { idle: 0, used: 2, waiting: 3 })
  end()
  t.same(await Promise.all(questions), [true, true, true])
  await Promise.all(transactions)
  await until(() => findPoolUse(sql).idle === 2)
  t.same(findPoolUse(sql), { idle: 2, used: 0, waiting: 0 })
})
