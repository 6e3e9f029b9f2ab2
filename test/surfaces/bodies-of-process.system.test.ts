/** The memory and the log of a web process whose clients send large bodies slowly, or disconnect. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { createDatabase, makeCaller } from '../helper.ts'
import { startWeb } from '../processes.ts'
import { readScrape, sumOf } from '../scrape.ts'
import { until } from '../until.ts'
import { head, open } from './body-sender.ts'

t.test(
  'a client that disconnects in the middle of its body is not logged as a failure of the service',
  async (t) => {
    const { sql, url: databaseUrl } = await createDatabase(t)
    const METRICS_TOKEN = 'a token of metrics'
    const web = await startWeb(t, databaseUrl, { METRICS_TOKEN, LOG_LEVEL: 'warn' })
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const held = async () => {
      const answer = await fetch(`${web.url}/metrics`, { headers })
      return sumOf(readScrape(await answer.text()), 'http_request_body_bytes')!
    }
    const { socket } = open(t, Number(new URL(web.url).port))
    socket.write(head(await makeCaller(sql, { scopes: ['usage:write'] })))
    await until(async () => (await held()) > 0)
    socket.resetAndDestroy()
    await until(async () => (await held()) === 0)
    await web.stop()
    t.notMatch(web.output(), 'request not served')
  },
)

t.test('300 connections that each send 10 MiB slowly leave the process below 300 MB', async (t) => {
  const { sql, url: databaseUrl } = await createDatabase(t)
  // One malloc arena, as in `npm run web` and the image: several arenas keep the memory that each thread has
  // freed.
  const environment = { REQUEST_TIMEOUT_SECONDS: '3', LOG_LEVEL: 'silent', MALLOC_ARENA_MAX: '1' }
  const web = await startWeb(t, databaseUrl, environment)
  const port = Number(new URL(web.url).port)
  const slugs = Array.from({ length: 10 }, (_, number) => `account-${number}`)
  const callers = await Promise.all(slugs.map((slug) => makeCaller(sql, { slug, scopes: ['usage:write'] })))
  const sockets = Array.from({ length: 300 }, (_, number) => {
    const { socket } = open(t, port)
    socket.write(head({ token: callers[number % callers.length]!.token }))
    return socket
  })
  const part = Buffer.alloc(64 * 1024, ' ')
  const sending = setInterval(() => {
    for (const socket of sockets) socket.write(part)
  }, 50)
  await until(() => sockets.every(({ destroyed }) => destroyed), 120_000)
  clearInterval(sending)
  const memory = async () => {
    const status = await readFile(`/proc/${web.child.pid}/status`, 'utf8')
    return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6
  }
  await until(async () => (await memory()) < 300)
  t.pass(`${Math.round(await memory())} MB`)
})
