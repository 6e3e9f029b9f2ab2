/** Statements that take too long: the client is answered, and PostgreSQL ends them. */
import t, { type Test } from 'tap'
import { buildOn, createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { until } from '../until.ts'

/** A web process in this one, on a database where each row that is inserted into `table` takes ten minutes. */
async function slow(t: Test, table: string, { settings = '' } = {}) {
  const { sql, url } = await createDatabase(t)
  const caller = await makeCaller(sql, { scopes: ['operator', 'usage:write'] })
  const product = await makeProduct(sql, caller.accountId)
  await sql`create sequence tries`
  await sql.unsafe(`
    create function sleep() returns trigger language plpgsql as
      'begin perform nextval(''tries''), pg_sleep(600); return new; end';
    create trigger sleep before insert on ${table} for each row execute function sleep()`)
  const { app } = await buildOn(t, url + settings, {}, 'web')
  const post = (path: string, payload: object, more: object = {}) =>
    app.inject({ method: 'POST', url: path, headers: { ...caller.headers, ...more }, payload })
  const createTimeslot = (more?: object) => {
    const timeslot = { ProductID: product.id, Date: '2030-06-15', Time: '10:00', Capacity: 8 }
    return post(`/api/v2/operator/products/${product.id}/timeslots`, timeslot, more)
  }
  return {
    post,
    createTimeslot,
    /** How often the statement was begun. A sequence keeps what a transaction takes back. */
    async tries() {
      const [row] = await sql<{ tries: number }[]>`
        select case when is_called then last_value else 0 end as tries from tries`
      return row!.tries
    },
    async running() {
      const rows = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep' and state = 'active'`
      return rows.length
    },
  }
}

t.test(
  '503 answers a request whose statement takes too long, and PostgreSQL ends the statement',
  async (t) => {
    const { createTimeslot, running, tries } = await slow(t, 'timeslots')
    const asked = createTimeslot()
    await until(async () => (await running()) === 1)
    const answer = await asked
    t.equal(answer.statusCode, 503)
    t.match(answer.headers['retry-after'], /^\d+$/)
    await until(async () => (await running()) === 0)
    t.equal(await tries(), 1)
  },
)

t.test(
  'with an Idempotency-Key it is tried as long as somebody waits for the answer, and no longer',
  async (t) => {
    const { createTimeslot, running, tries } = await slow(t, 'idempotency_keys')
    const answer = await createTimeslot({ 'idempotency-key': 'a' })
    t.equal(answer.statusCode, 503)
    await until(async () => (await running()) === 0)
    t.equal(await tries(), 2)
  },
)

t.test('a statement that PostgreSQL ended for its time is not begun again', async (t) => {
  const settings = '&statement_timeout=500'
  const key = { 'idempotency-key': 'a' }

  t.test('in a transaction', async (t) => {
    const { createTimeslot, tries } = await slow(t, 'timeslots', { settings })
    t.equal((await createTimeslot(key)).statusCode, 503)
    t.equal(await tries(), 1)
  })

  t.test('when usage claims its key', async (t) => {
    const { post, tries } = await slow(t, 'idempotency_keys', { settings })
    const answer = await post('/api/v2/usage/meters', { Meter: 'calls', Usage: 1 }, key)
    t.equal(answer.statusCode, 503)
    t.equal(await tries(), 1)
  })
})
