/** `npm start` with a configured database, and what it refuses. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { makeFolder } from '../command-line.ts'
import { createDatabase } from '../helper.ts'
import { startProcess } from '../processes.ts'
import { processesOf, startAllInOne } from './all-in-one.ts'

t.test('with DATABASE_URL, npm start runs no PostgreSQL, and still runs once per data folder', async (t) => {
  const DATA_DIR = await makeFolder(t)
  const { url, sql } = await createDatabase(t)
  const start = () => startAllInOne(t, { DATA_DIR, DATABASE_URL: url })
  const first = start()
  await first.requests()
  const kept = await readdir(DATA_DIR)
  t.same(
    kept.filter((name) => name !== 'outbox'),
    ['secret-key'],
    'besides the e-mails of the demo',
  )
  t.match(await sql`select slug from accounts`, [{ slug: 'demo' }])
  const second = start()
  t.equal(await second.ended, 1)
  t.match(second.printed.stderr, /^npm start already runs on [^\n]+\n$/)
  first.kill('SIGTERM')
  t.equal(await first.ended, 0)
  t.same(await processesOf(DATA_DIR), [])
})

t.test('a port that stays in use is refused with its number, and the data folder stays empty', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const PORT = String((taken.address() as AddressInfo).port)
  const DATA_DIR = await makeFolder(t)
  const { ended, printed } = startAllInOne(t, { DATA_DIR, PORT, SHUTDOWN_TIMEOUT_SECONDS: '1' })
  t.equal(await ended, 1)
  t.match(printed.stderr, new RegExp(`port ${PORT} of 127.0.0.1 is in use; set another PORT\n$`))
  t.same(await readdir(DATA_DIR), [])
})

t.test('a setting that cannot be used is named in one line', async (t) => {
  const DATA_DIR = await makeFolder(t)
  const { ended, printed } = startAllInOne(t, { DATA_DIR, LOG_LEVEL: 'loud' })
  t.equal(await ended, 1)
  t.match(printed, { stdout: '', stderr: /^LOG_LEVEL [^\n]+\n$/ })
})

t.test('DATABASE_DIRECT_URL alone is refused, because another database would be served', async (t) => {
  const DATA_DIR = await makeFolder(t)
  const direct = { DATA_DIR, DATABASE_DIRECT_URL: 'postgres://127.0.0.1:1/none' }
  const refusal = /^DATABASE_URL must be set with DATABASE_DIRECT_URL[^\n]+\n$/
  const { ended, printed } = startAllInOne(t, direct)
  t.equal(await ended, 1)
  t.match(printed, { stdout: '', stderr: refusal })
  t.same(await readdir(DATA_DIR), [])
  for (const program of ['src/server.js', 'workers/worker.js']) {
    const started = startProcess(t, program, { ...direct, DATABASE_URL: '' })
    t.equal(await started.ended, 1)
    t.match(started.output(), refusal)
  }
})

t.test('a database out of reach is reported in one line', async (t) => {
  const DATA_DIR = await makeFolder(t)
  const { ended, printed } = startAllInOne(t, { DATA_DIR, DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  t.equal(await ended, 1)
  t.match(printed, { stdout: '', stderr: /^PostgreSQL cannot be reached: [^\n]+\n$/ })
})
