/** What the log never contains, at any level: credentials, customers' data, and search terms. */
import { once } from 'node:events'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createUser } from '../../src/accounts/users/service.ts'
import { buildApp } from '../../src/app.ts'
import { createLogger, describeError } from '../../src/platform/process/logging.ts'
import { startJobWorker } from '../../src/queue/worker.ts'
import { sign } from '../../src/sales/payment/model.ts'
import { createSecret } from '../../src/sales/payment/secrets.ts'
import { offerUrl } from '../../src/sales/waitlist/model.ts'
import { closeServices, openServices } from '../../src/services.ts'
import { jobHandlers } from '../../workers/handlers.ts'
import { makeFolder } from '../command-line.ts'
import { bookingPath, createDatabase, makeCaller, makeProduct, testConfig } from '../helper.ts'
import { redisUrl } from '../metering/fixtures.ts'
import { until } from '../until.ts'

const secretKey = 'a secret key of thirty-two letters'
const password = 'correct horse battery staple'
const customer = {
  FirstName: 'Adalbert',
  LastName: 'Lovelacey',
  Email: 'adalbert@private.example',
  Phone: '+351912345678',
}

/** A web application and a worker in this process, with every line that they log at `trace`. */
async function openLogged(t: Test) {
  const lines: string[] = []
  const log = createLogger('trace', 'test', { write: (line) => lines.push(line) })
  const { sql, url } = await createDatabase(t)
  const config = testConfig({ SECRET_KEY: secretKey, DATA_DIR: await makeFolder(t) })
  const services = openServices(config, url, 'test', log)
  const app = await buildApp(services)
  const options = { redisUrl: undefined, databaseUrl: url, prefix: config.QUEUE_PREFIX, log }
  const worker = await startJobWorker(options, jobHandlers(services))
  t.teardown(async () => {
    services.state.draining = true
    await worker.close()
    await app.close()
    await closeServices(services)
  })
  await until(() => services.queue.state().reachable)
  return { app, sql, lines }
}

t.test(
  'requests that succeed or fail in many ways leave no name, address or secret in the log',
  async (t) => {
    const { app, sql, lines } = await openLogged(t)
    const { accountId, token, headers } = await makeCaller(sql, {
      scopes: ['ota', 'operator', 'usage:write'],
    })
    const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
    const secret = await createSecret(sql, secretKey, accountId)
    await createUser(sql, { accountId, email: 'owner@private.example', role: 'owner', password })
    const secrets = [token, secret, secretKey, password]
    const statuses: number[] = []
    const ask = async (method: 'GET' | 'POST', url: string, payload?: object | string, more: object = {}) => {
      const answer = await app.inject({
        method,
        url,
        headers: { ...headers, ...more },
        ...(payload && { payload }),
      })
      statuses.push(answer.statusCode)
      return answer
    }
    const body = (changes: object = {}) => ({
      ActivityID: activityId,
      Date: '2030-06-15',
      Time: '10:00',
      Participants: 2,
      Customer: { ...customer, ...changes },
    })

    await ask('POST', bookingPath, body())
    await ask('POST', bookingPath, body({ Email: 'adalbert at private.example', Phone: '912345678' }))
    await ask('POST', bookingPath, JSON.stringify(body()).slice(0, -3), {
      'content-type': 'application/json',
    })
    await ask('GET', '/api/v2/operator/bookings?Text=Lovelacey&Limit=none')
    await ask('GET', '/nowhere/at/all?Text=Lovelacey')
    await ask('GET', '/%zz?Text=Lovelacey')
    await ask('POST', '/api/v2/usage/meters', { Meter: 'calls', Usage: 1, ExtraInfo: 'Lovelacey' })
    await ask('GET', bookingPath, undefined, { authorization: `Bearer ${token}x` })

    const event = JSON.stringify({
      ID: 'e',
      Account: 'quay',
      Type: 'failed',
      BasketID: 9,
      Amount: '1',
      Currency: 'EUR',
    })
    for (const key of [secret, 'pay_guessed']) {
      const signature = sign(key, Math.floor(Date.now() / 1000), Buffer.from(event))
      secrets.push(signature.split('v1=')[1]!)
      const more = { 'payment-signature': signature, 'content-type': 'application/json' }
      await ask('POST', '/api/v2/payments/events', event, more)
    }
    const link = new URL(offerUrl('http://booking.test', secretKey, { accountId, entryId: 1 })).pathname
    secrets.push(link.split('/')[2]!)
    await ask('GET', link)

    for (const Password of ['a wrong password', password]) {
      const form = new URLSearchParams({
        Account: 'quay',
        Email: 'owner@private.example',
        Password,
      }).toString()
      const more = { 'content-type': 'application/x-www-form-urlencoded' }
      const { headers: answered } = await ask('POST', '/dashboard/sign-in', form, more)
      const cookie = String(answered['set-cookie'] ?? '').split(';', 1)[0]!
      if (!cookie) continue
      secrets.push(cookie.split('=')[1]!)
      await ask('GET', '/dashboard/bookings?Text=Lovelacey', undefined, { cookie })
    }

    // Failures of the service, whose errors contain the refused row or the value that could not be read.
    await sql`alter table bookings add constraint no_lace check (last_name not like 'Lovelacey%') not valid`
    await ask('POST', bookingPath, body())
    await sql`alter table bookings drop constraint no_lace`
    await sql`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'invalid input syntax: "%"', new.email using errcode = '22P02'; end $$`
    await sql`create trigger refuse before insert on bookings for each row execute function refuse()`
    await ask('POST', bookingPath, body())

    t.same(
      statuses,
      [201, 422, 400, 422, 404, 400, 201, 401, 404, 401, 404, 403, 303, 200, 500, 500],
      'each request got the expected status',
    )
    await until(() => lines.filter((line) => line.includes('job done')).length > 0)
    const logged = lines.join('')
    t.match(logged, 'no_lace', 'the log has the cause of the failure')
    t.match(logged, '22P02')
    for (const personal of [...Object.values(customer), 'owner@private.example', '912345678', 'Text='])
      t.notMatch(logged, personal)
    for (const one of secrets) t.notOk(logged.includes(one), `${one.slice(0, 6)}… is not logged`)
  },
)

t.test('an error of PostgreSQL is logged without the data that it contains', async (t) => {
  const { sql } = await createDatabase(t)
  await sql`create table people (email text primary key, age int)`
  await sql`insert into people values ('ada@example.com', 36)`
  const errors: Error[] = []
  for (const query of [
    sql`insert into people values ('ada@example.com', 36)`,
    sql`select 'ada@example.com'::int`,
    sql`select ${'ada@"example.com'}::text::int`,
  ])
    await query.catch((error) => errors.push(error))
  t.equal(errors.length, 3)
  errors.push(new Error('outer', { cause: errors[0] }), new AggregateError(errors.slice(0, 2), 'several'))
  for (const error of errors) {
    const described = JSON.stringify(describeError(error))
    t.notMatch(described, 'example.com')
    t.match(described, /"stack":"\s+at /)
  }
  t.match(describeError(errors[0]), { code: '23505', constraint_name: 'people_pkey', table_name: 'people' })
  t.match(describeError(errors[1]), { message: 'invalid input syntax for type integer: "…"' })
  t.same(describeError('ada@example.com'), { type: 'string', message: 'not an Error' })
})

t.test(
  'the error of a Redis that refuses a password is logged without the password',
  { skip: !redisUrl && 'no Redis' },
  async (t) => {
    const url = new URL(redisUrl)
    url.username = 'nobody'
    url.password = 'the-password-of-redis'
    const redis = new Redis(url.href, { lazyConnect: true, retryStrategy: () => null })
    t.teardown(() => redis.disconnect())
    redis.connect().catch(() => {})
    const [error] = await once(redis, 'error')
    t.match(JSON.stringify(error), 'the-password-of-redis', 'the error itself contains the password')
    t.notMatch(JSON.stringify(describeError(error)), 'the-password-of-redis')
    t.match(describeError(error).message, /WRONGPASS/)
  },
)
