/** Statements that take too long: the client gets a response, and PostgreSQL ends them. */
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { buildOn, createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { until } from '../until.ts'

/**
 * A web application on a database where each row that is inserted into `table` takes ten minutes.
 */
async function startSlow(t: Test, table: string) {
  const { sql, url } = await createDatabase(t)
  const caller = await makeCaller(sql, { scopes: ['operator', 'usage:write'] })
  const product = await makeProduct(sql, caller.accountId)
  await sql`create sequence tries`
  await sql.unsafe(`
    create function sleep() returns trigger language plpgsql as
      'begin perform nextval(''tries''), pg_sleep(600); return new; end';
    create trigger sleep before insert on ${table} for each row execute function sleep()`)
  const { app } = await buildOn(t, url, {}, 'web')
  const post = (path: string, payload: object, more: object = {}) =>
    app.inject({ method: 'POST', url: path, headers: { ...caller.headers, ...more }, payload })
  const path = `/api/v2/operator/products/${product.id}/timeslots`
  const timeslot = { ProductID: product.id, Date: '2030-06-15', Time: '10:00', Capacity: 8 }
  /** Waits until one statement runs, and calls a function of PostgreSQL with its process. */
  const onRunning = async (call: 'pg_cancel_backend' | 'pg_terminate_backend') => {
    await until(async () => (await running()) === 1)
    await sql`select ${sql(call)}(pid) from ${sleeping}`
  }
  const sleeping = sql`pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep' and state = 'active'`
  const running = async () => (await sql`select from ${sleeping}`).length
  return {
    app,
    ...caller,
    post,
    path,
    timeslot,
    createTimeslot: (more?: object) => post(path, timeslot, more),
    /** How often the statement was started. A sequence counts this, because a rollback does not reset it. */
    async tries() {
      const [row] = await sql<{ tries: number }[]>`
        select case when is_called then last_value else 0 end as tries from tries`
      return row!.tries
    },
    running,
    /** Ends the statement that runs, as PostgreSQL does after a timeout. */
    endStatement: () => onRunning('pg_cancel_backend'),
    /** Ends the connection of the statement that runs. */
    endConnection: () => onRunning('pg_terminate_backend'),
  }
}

t.test('a request whose statement takes too long gets 503, and PostgreSQL ends the statement', async (t) => {
  const { createTimeslot, running, tries } = await startSlow(t, 'timeslots')
  const asked = createTimeslot()
  await until(async () => (await running()) === 1)
  const answer = await asked
  t.equal(answer.statusCode, 503)
  t.match(answer.headers['retry-after'], /^\d+$/)
  await until(async () => (await running()) === 0)
  t.equal(await tries(), 1)
})

t.test('a request with an Idempotency-Key is retried when its connection breaks', async (t) => {
  const { createTimeslot, endConnection, endStatement, tries } = await startSlow(t, 'idempotency_keys')
  const asked = createTimeslot({ 'idempotency-key': 'a' })
  await endConnection()
  await until(async () => (await tries()) === 2)
  await endStatement()
  t.equal((await asked).statusCode, 503)
  t.equal(await tries(), 2)
})

t.test('a request is not retried when no client waits for the response', async (t) => {
  const { app, headers, path, timeslot, createTimeslot, ...of } = await startSlow(t, 'idempotency_keys')
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const client = new AbortController()
  const asked = fetch(origin + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'a' },
    body: JSON.stringify(timeslot),
    signal: client.signal,
  })
  await until(async () => (await of.running()) === 1)
  client.abort()
  await t.rejects(asked)
  const connections = promisify(app.server.getConnections).bind(app.server)
  await until(async () => (await connections()) === 0)
  await of.endConnection()
  // This request takes longer than it would take to begin the statement again.
  t.equal((await createTimeslot()).statusCode, 201)
  t.equal(await of.tries(), 1)
})

t.test('a statement that PostgreSQL ended is not retried', async (t) => {
  const key = { 'idempotency-key': 'a' }

  t.test('in a transaction', async (t) => {
    const { createTimeslot, endStatement, tries } = await startSlow(t, 'timeslots')
    const asked = createTimeslot(key)
    await endStatement()
    t.equal((await asked).statusCode, 503)
    t.equal(await tries(), 1)
  })

  t.test('when a request to record usage claims its idempotency key', async (t) => {
    const { post, endStatement, tries } = await startSlow(t, 'idempotency_keys')
    const asked = post('/api/v2/usage/meters', { Meter: 'calls', Usage: 1 }, key)
    await endStatement()
    t.equal((await asked).statusCode, 503)
    t.equal(await tries(), 1)
  })
})
