/** The memory of request bodies: it is shared between callers, and all of it is released. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { Services } from '../../src/services.ts'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../helper.ts'
import { scrape, sumOf } from '../scrape.ts'
import { until } from '../until.ts'
import { batchPath, head, mebibyte, open, type Sending } from './body-sender.ts'

const entry = { Meter: 'calls', Usage: 1, ExtraInfo: 'x'.repeat(8000) }
const batch = (entries: number) => JSON.stringify({ Entries: Array(entries).fill(entry) })

/**
 * A web server in this process, and functions that make callers, send requests, and read how many bytes are
 * reserved for bodies.
 */
async function startServer(t: Test, environment: Record<string, string> = {}) {
  const built = await build(t, { environment: { SECRET_KEY: 'x'.repeat(32), ...environment } })
  await built.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = built.app.server.address() as AddressInfo
  const caller = (slug: string) => makeCaller(built.sql, { slug, scopes: ['ota', 'usage:write', 'operator'] })
  const held = () => bytesHeld(built.services)
  /** Sends the head of a request, and resolves when its body is counted or it is answered. */
  const send = async (sending: Sending) => {
    const before = await held()
    const connection = open(t, port)
    connection.socket.write(head(sending))
    await until(async () => connection.statuses().length > 0 || (await held()) > before)
    return connection
  }
  return { ...built, port, caller, held, send, connect: () => open(t, port) }
}

async function bytesHeld({ metrics }: Services): Promise<number> {
  return sumOf(await scrape(metrics), 'http_request_body_bytes')!
}

async function post(app: FastifyInstance, headers: object, payload: string, url = batchPath) {
  const json = { 'content-type': 'application/json', ...headers }
  return app.inject({ method: 'POST', url, headers: json, payload })
}

t.test('an idle process accepts a batch of 10 MiB', async (t) => {
  const { app, caller, held } = await startServer(t)
  const { headers } = await caller('quay')
  const answer = await post(app, headers, batch(1000).padEnd(10 * mebibyte))
  t.equal(answer.statusCode, 201)
  await until(async () => (await held()) === 0)
})

t.test('limits of a key, an account and the process', async (t) => {
  const { app, sql, caller, held, send } = await startServer(t)
  const [first, second] = [await caller('quay'), await caller('quay')]

  await t.test('above its share, a key gets 429 before its body is sent', async (t) => {
    const sent = [await send(first), await send(first), await send(first)]
    t.same(
      sent.map(({ statuses }) => statuses()),
      [[], [], [429]],
    )
    t.match(sent[2]!.text(), /retry-after: 1\r\n/i)
    t.match(sent[2]!.text(), /"type":"http:\/\/booking\.test\/problems\/rate-limited"/)
    t.equal(await held(), 20 * mebibyte)
  })

  t.test('another key of the account gets in, up to the account’s share', async (t) => {
    t.same((await send(second)).statuses(), [])
    t.same((await send(second)).statuses(), [429])
    t.same((await send(await caller('quay'))).statuses(), [429])
  })

  t.test(
    'when the process is full, an account with nothing under way gets 503 with Retry-After',
    async (t) => {
      t.same((await send(await caller('harbour'))).statuses(), [])
      t.same((await send(await caller('pier'))).statuses(), [])
      t.same((await send(await caller('beach'))).statuses(), [])
      const late = await send(await caller('marina'))
      t.same(late.statuses(), [503])
      t.match(late.text(), /retry-after: [123]\r\n/i)
    },
  )

  t.test(
    'small bodies are always accepted, also when the key or the process has reached its limit',
    async (t) => {
      const product = await makeProduct(sql, first.accountId, { slots: { '2030-06-15 10:00': 8 } })
      const body = JSON.stringify(bookingBody(product.activityId))
      t.equal((await post(app, first.headers, body, bookingPath)).statusCode, 201)
      t.equal((await post(app, (await caller('marina')).headers, batch(1))).statusCode, 201)
    },
  )
})

t.test('the unknown length of a body', async (t) => {
  const { caller, held, send, connect, sql } = await startServer(t)
  const { token, accountId } = await caller('quay')

  t.test('counts as the most that the route accepts', async (t) => {
    const { socket } = await send({ token, bytes: 'unknown' })
    t.equal(await held(), 10 * mebibyte)
    const other = await send({ token, bytes: 'unknown', path: bookingPath })
    t.equal(await held(), 11 * mebibyte)
    for (const one of [socket, other.socket]) one.destroy()
    await until(async () => (await held()) === 0)
  })

  t.test('becomes known when the whole body has been read', async (t) => {
    const product = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
    const body = JSON.stringify({ ...bookingBody(product.activityId), Padding: 'x'.repeat(30_000) })
    await sql.begin(async (tx) => {
      await tx`select from timeslots for update`
      const { socket, statuses } = await send({ token, bytes: 'unknown', path: bookingPath })
      socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
      await until(async () => (await held()) === body.length)
      t.same(statuses(), [], 'the request has no response yet')
    })
    await until(async () => (await held()) === 0)
  })

  t.test('is known for a small body that arrived with its headers', async (t) => {
    const { socket, statuses } = connect()
    const one = `${head({ token, bytes: 'unknown', path: bookingPath })}2\r\n{}\r\n0\r\n\r\n`
    socket.write(one.repeat(100))
    await until(() => statuses().length === 100)
    t.ok(statuses().every((status) => status === 422))
  })
})

t.test('bodies that are counted for no key', async (t) => {
  const world = await startServer(t)
  const { caller, held, send } = world
  const events = { path: '/api/v2/payments/events', bytes: 64 * 1024 }

  t.test(
    'one network address gets at most a third of the bytes, and a request with a key is still accepted',
    async (t) => {
      const { connect } = world
      const connections = Array.from({ length: 400 }, () => {
        const connection = connect()
        connection.socket.write(head(events))
        return connection
      })
      const refused = () => connections.filter(({ statuses }) => statuses().length > 0)
      await until(async () => refused().length + (await held()) / events.bytes === 400)
      t.ok(refused().length > 50)
      t.ok(refused().every(({ statuses }) => statuses()[0] === 429))
      t.same((await send(await caller('quay'))).statuses(), [])
      for (const { socket } of connections) socket.destroy()
      await until(async () => (await held()) === 10 * mebibyte)
    },
  )

  t.test('a body for an address that does not exist is not read', async (t) => {
    const { token } = await caller('quay')
    const before = await held()
    for (const path of ['/nowhere', '/dashboard/nowhere', bookingPath.replace('booking', 'x')])
      t.same((await send({ path, token })).statuses(), [404])
    t.same((await send({ path: '/healthz', token })).statuses(), [405])
    t.equal(await held(), before)
  })

  t.test('a body that is too long for its route is not read, and not counted', async (t) => {
    t.same((await send({ ...events, bytes: 64 * 1024 + 1 })).statuses(), [413])
    t.same((await send({ path: '/email/unsubscribe/x', bytes: 16 * 1024 + 1 })).statuses(), [413])
  })

  t.test('an unknown key is refused before its body is counted', async (t) => {
    t.same((await send({ token: 'abs_1_x' })).statuses(), [401])
  })
})

/**
 * A server with one caller, and functions that write and send its requests. `good` is a valid batch. `booking` is a
 * body whose request gets no response while its timeslot is locked.
 */
async function sender(t: Test, environment: Record<string, string> = {}) {
  const { app, sql, caller, held, send, connect } = await startServer(t, environment)
  const { token, accountId, headers } = await caller('quay')
  const product = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const booking = JSON.stringify({ ...bookingBody(product.activityId), Padding: 'x'.repeat(30_000) })
  const good = batch(10)
  const whole = (body: string, more = '', path = batchPath) =>
    head({ token, path, bytes: body.length, more }) + body
  let connection: ReturnType<typeof connect> | undefined
  /** Sends requests over one connection that stays open; returns the status of the last response. */
  const ask = async (bytes: string, answers = 1) => {
    connection ??= connect()
    const { socket, statuses } = connection
    const before = statuses().length
    socket.write(bytes)
    await until(() => statuses().length === before + answers)
    return statuses().at(-1)
  }
  return { app, sql, held, send, connect, token, headers, booking, good, whole, ask }
}

t.test('the bytes of a body are released once, however its request ends', async (t) => {
  const { app, sql, held, send, connect, token, headers, booking, good, whole, ask } = await sender(t)

  t.test('a request that is answered, refused or malformed', async (t) => {
    t.equal(await ask(whole(good)), 201)
    t.equal(await ask(whole(good.replaceAll('"Usage":1', '"Usage":0'))), 422)
    t.equal((await post(app, headers, good.slice(1))).statusCode, 400)
    t.equal((await post(app, { ...headers, 'content-type': 'text/plain' }, good)).statusCode, 415)
    await until(async () => (await held()) === 0)
  })

  t.test('pipelined requests on one connection, answered or cut off', async (t) => {
    t.equal(await ask(whole(good).repeat(20), 20), 201)
    await until(async () => (await held()) === 0)
    await sql.begin(async (tx) => {
      await tx`select from timeslots for update`
      const { socket } = connect()
      socket.write(whole(booking, '', bookingPath).repeat(5))
      await until(async () => (await held()) === 5 * booking.length)
      socket.destroy()
      await until(async () => (await held()) === 0)
    })
  })

  t.test('a request with Expect: 100-continue', async (t) => {
    t.equal(await ask(whole(good, 'Expect: 100-continue\r\n')), 201)
    ;(await send({ token, more: 'Expect: 100-continue\r\n' })).socket.destroy()
    await until(async () => (await held()) === 0)
  })

  t.test('a request whose client disconnects in the middle of the body', async () => {
    const { socket } = await send({ token })
    socket.write('{"Entries":[')
    socket.resetAndDestroy()
    await until(async () => (await held()) === 0)
  })

  t.test('a request whose route never reads the body, so that no bytes are counted', async (t) => {
    const path = '/api/v2/ota/marketplace/products'
    for (const method of ['GET', 'HEAD'])
      t.equal(await ask(head({ token, path, method, bytes: good.length }) + good), 200)
    t.equal(await held(), 0)
  })
})

t.test('the bytes of a body are released when its request times out', async (t) => {
  const { sql, held, token, connect, booking, whole } = await sender(t, { REQUEST_TIMEOUT_SECONDS: '1' })

  t.test('a body that is sent too slowly, by a client that ignores the response', async (t) => {
    const { socket, text } = connect()
    socket.write(head({ token }))
    socket.allowHalfOpen = true
    const trickle = setInterval(() => socket.write(' '), 20)
    await until(() => socket.destroyed)
    clearInterval(trickle)
    t.match(text(), /^HTTP\/1\.1 (400|503)/)
    await until(async () => (await held()) === 0)
  })

  t.test('a request that is not answered in time', async () => {
    await sql.begin(async (tx) => {
      await tx`select from timeslots for update`
      // If the machine was suspended, the server may close the connection before it responds: then try again.
      await until(async () => {
        const { socket, statuses } = connect()
        socket.write(whole(booking, '', bookingPath))
        await until(() => statuses().length > 0 || socket.destroyed)
        return statuses()[0] === 503
      })
      await until(async () => (await held()) === 0)
    })
  })
})
