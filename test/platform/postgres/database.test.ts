/** When a connection breaks, each query succeeds or fails by itself, and affects no other query. */
import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { within } from '../../../src/platform/async/deadline.ts'
import {
  type DatabaseOptions,
  findPoolUse,
  openDatabase,
  type Sql,
  type Transaction,
} from '../../../src/platform/postgres/database.ts'
import { isOutOfReach } from '../../../src/platform/postgres/errors.ts'
import { createDatabase } from '../../helper.ts'
import { proxyTo, type StoreProxy } from '../../proxy.ts'
import { until } from '../../until.ts'

function open(t: Test, url: string, options: Partial<DatabaseOptions> = {}): Sql {
  const sql = openDatabase(url, {
    poolSize: 1,
    applicationName: 'abs-test',
    // The longest wait, so that only the test ends a connection.
    timeouts: 'job',
    ...options,
  })
  t.teardown(() => sql.end({ timeout: 1 }))
  return sql
}

/** A pool that reaches its database through a proxy, and one that does not. */
async function openBehindProxy(t: Test, options: Partial<DatabaseOptions> = {}) {
  const { sql: direct, url } = await createDatabase(t)
  const proxy = await proxyTo(t, url)
  return { direct, sql: open(t, proxy.url, options), ...proxy }
}

const soon = <T>(work: Promise<T>) => within(100_000, work, () => new Error('never answered'))
const answers = (sql: Sql) =>
  sql`select 1`.then(
    () => true,
    () => false,
  )

/** How a transaction's connection ends: the proxy resets it, the network closes it, or the server ends it. */
const endings = {
  reset: (proxy) => proxy.reset(),
  close: async (proxy) => {
    await proxy.cut()
    await proxy.restore()
  },
  termination: async (_, direct) => {
    await direct`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'abs-test'
        and xact_start is not null`
  },
} satisfies Record<string, (proxy: StoreProxy, direct: Sql) => void | Promise<void>>

for (const [name, end] of Object.entries(endings)) {
  t.test(
    `a transaction commits nothing and writes nothing more after the ${name} of its connection`,
    async (t) => {
      const { direct, sql, ...proxy } = await openBehindProxy(t)
      await direct`create table marks (part integer)`
      const lost = { code: /^(CONNECTION_CLOSED|ECONNRESET|57P01)$/ }
      let handle: Transaction | undefined
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const transaction = sql.begin(async (tx) => {
        await tx`insert into marks values (1)`
        handle = tx
        await held
        await tx`insert into marks values (2)`
      })
      transaction.catch(() => {})
      await until(() => handle !== undefined)
      await end(proxy, direct)
      await t.rejects(soon(transaction), lost, 'the transaction fails, though its callback is still busy')

      // The pool has one connection: later queries of the transaction would be sent on its replacement.
      await until(() => answers(sql))
      const other = sql.begin(async (tx) => {
        await tx`insert into marks values (10)`
        goOn()
        await t.rejects(soon(handle!`insert into marks values (3)`), lost, 'a later query is refused')
        await t.rejects(
          soon(handle!.savepoint((sp) => sp`insert into marks values (4)`)),
          lost,
          'a savepoint too',
        )
        await t.rejects(soon(handle!`commit`), lost)
        await tx`insert into marks values (11)`
      })
      await soon(other)
      t.same(await direct`select part from marks order by part`, [{ part: 10 }, { part: 11 }])

      t.same(await soon(Promise.all([1, 2, 3].map(() => answers(sql)))), [true, true, true])
      await soon(sql.begin((tx) => tx`insert into marks values (20)`))
      t.same(findPoolUse(sql), { idle: 1, used: 0, waiting: 0 }, 'the pool is as before')
    },
  )

  t.test(`a query of a transaction fails at once on the ${name} of its connection`, async (t) => {
    const { direct, sql, ...proxy } = await openBehindProxy(t)
    await direct`create table marks (part integer)`
    const lost = { code: /^(CONNECTION_CLOSED|ECONNRESET|57P01)$/ }
    const waiting: Promise<unknown>[] = []
    const transaction = sql.begin(async (tx) => {
      await tx`insert into marks values (1)`
      // Sent together: when the connection ends, one query is under way, and one waits behind it.
      waiting.push(tx`select pg_sleep(30)`.execute(), tx`insert into marks values (2)`.execute())
      await Promise.all(waiting)
    })
    transaction.catch(() => {})
    await until(async () => {
      const [found] = await direct`
        select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
      return found !== undefined
    })
    await end(proxy, direct)
    for (const query of [...waiting, transaction]) await t.rejects(soon(query), lost)
    await until(() => answers(sql))
    await soon(sql.begin((tx) => tx`insert into marks values (20)`))
    t.same(await direct`select part from marks`, [{ part: 20 }])
  })
}

t.test(
  'a query that is retried after its connection went silent is answered on a new connection',
  async (t) => {
    const { sql, freeze } = await openBehindProxy(t, { poolSize: 4, silence: 4000 })
    const ask = async (number: number) => {
      const [row] = await sql`select ${number}::integer as number, pg_sleep(0.05)`
      return row!.number
    }
    const askAll = (again: (error: unknown, number: number) => Promise<number>) =>
      Promise.all(
        [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ask(number).catch((error) => again(error, number))),
      )
    await askAll(Promise.reject)
    freeze()
    const answered = await soon(
      askAll((error, number) => (isOutOfReach(error) ? ask(number) : Promise.reject(error))),
    )
    t.same(answered, [1, 2, 3, 4, 5, 6, 7, 8])
  },
)

t.test('transactions that are retried when connections break are all done, each once', async (t) => {
  const { direct, sql, freeze } = await openBehindProxy(t, { poolSize: 4, silence: 4000 })
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

t.test('a value that cannot be sent fails only its own query', async (t) => {
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

t.test('no other query runs inside a transaction, even on a connection with a full pipeline', async (t) => {
  const { sql: direct, url } = await createDatabase(t)
  await direct`create table marks (part integer)`
  const sql = open(t, url)
  await sql`select 1`
  // postgres.js sends up to 100 queries before the first is answered; BEGIN is the last of them.
  const before = Array.from({ length: 100 }, () => sql`select pg_sleep(0.001)`.execute())
  const transaction = sql.begin(async (tx) => {
    await tx`insert into marks values (1)`
    throw new Error('rolled back')
  })
  const beside = sql`insert into marks values (2)`.execute()
  await soon(Promise.all(before))
  await t.rejects(soon(transaction), { message: 'rolled back' })
  await soon(beside)
  t.same(await direct`select part from marks`, [{ part: 2 }])
  await until(() => findPoolUse(sql).idle === 1)
})

t.test('a query that fails after its first rows leaves none of them to the next query', async (t) => {
  const { url } = await createDatabase(t)
  const sql = open(t, url)
  await sql`select 1`
  const failed = sql`select 1 / (4 - number) from generate_series(1, 10) number`.execute()
  const behind = sql<{ number: number }[]>`select number from generate_series(1, 3) number`.execute()
  await t.rejects(soon(failed), { code: '22012' })
  t.same([...(await soon(behind))], [{ number: 1 }, { number: 2 }, { number: 3 }])
})

t.test(
  'a query fails if the server closes the connection at once, and also if the network is down',
  async (t) => {
    const server = createServer((socket) => socket.on('error', () => {}).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const { port } = server.address() as AddressInfo
    // TCP cannot use a broadcast address, so the system reports at once that there is no route.
    for (const host of [`127.0.0.1:${port}`, '255.255.255.255:5432']) {
      const sql = open(t, `postgres://nobody@${host}/none`)
      for (const query of [sql`select 1`, sql`select 2`]) await t.rejects(soon(query))
    }
  },
)

t.test('closing the pool does not wait for a connection that broke', async (t) => {
  const { direct, sql, cut } = await openBehindProxy(t)
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

t.test('a connection that was made while the process was blocked is kept', async (t) => {
  const { url } = await createDatabase(t)
  const { connect } = Socket.prototype
  t.teardown(() => {
    Socket.prototype.connect = connect
  })
  // The process is blocked while the connection is made, and the event loop has not seen it yet.
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const socket = Reflect.apply(connect, this, given)
    process.nextTick(() => {
      const until = performance.now() + 100
      while (performance.now() < until);
    })
    return socket
  } as typeof connect
  t.ok(await answers(open(t, url, { connectMs: 20 })))
})

t.test('a pool reports how its connections are used, and how many queries wait for one', async (t) => {
  const { url } = await createDatabase(t)
  const sql = open(t, url, { poolSize: 2 })
  t.same(findPoolUse(sql), { idle: 0, used: 0, waiting: 0 })
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const transactions = [1, 2].map(() => sql.begin(() => ended))
  await until(() => findPoolUse(sql).used === 2)
  const queries = [1, 2, 3].map(() => answers(sql))
  await until(() => findPoolUse(sql).waiting === 3)
  t.same(findPoolUse(sql), { idle: 0, used: 2, waiting: 3 })
  end()
  t.same(await Promise.all(queries), [true, true, true])
  await Promise.all(transactions)
  await until(() => findPoolUse(sql).idle === 2)
  t.same(findPoolUse(sql), { idle: 2, used: 0, waiting: 0 })
})

t.test(
  'a process that freezes inside a transaction loses its locks, even halfway through a statement',
  async (t) => {
    const { direct, sql, block, restore } = await openBehindProxy(t, { timeouts: 'request', silence: 0 })
    await direct`create table places (id integer primary key)`
    await direct`insert into places values (1)`
    const isLocked = () =>
      direct`select from places where id = 1 for update nowait`.then(
        () => false,
        () => true,
      )
    let isFrozen = false
    const frozen = sql.begin(async (tx) => {
      await tx`select from places where id = ${1} for update`
      t.ok(await isLocked())
      block('store')
      isFrozen = true
      // A new statement on its connection: the driver first has it described, and sends its parameters
      // afterwards.
      await tx`select id from places where id < ${2}`
    })
    frozen.catch(() => {})
    await until(async () => isFrozen && !(await isLocked()))
    await restore()
    await t.rejects(soon(frozen))
  },
)

t.test(
  'after an error between the description of a statement and its rows, later results still belong to their queries',
  async (t) => {
    const { url } = await createDatabase(t)
    const from = (column: string) => {
      if (column === 'bad') throw new Error('not this column')
      return column
    }
    const sql = postgres(url, { max: 1, transform: { column: { from } } })
    t.teardown(() => sql.end({ timeout: 1 }))
    const transaction = sql.begin(async (tx) => {
      await t.rejects(soon(tx`select ${1}::integer as bad`), { message: 'not this column' })
      for (const number of [2, 3]) {
        const rows = await soon(tx`select ${number}::integer as good, ${tx.unsafe(String(number))} as new`)
        t.match(rows, [{ good: number, new: number }])
      }
    })
    // The driver fails a transaction in which any query failed, even if its error was caught.
    await t.rejects(transaction, { message: 'not this column' })
    t.match(await soon(sql`select ${4}::integer as good`), [{ good: 4 }])
  },
)
