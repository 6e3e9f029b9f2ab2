/** `npm start` from an empty folder: the printed requests work, also after kills and restarts. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { findEmbeddedPostgres } from '../src/platform/embedded/embedded-postgres.ts'
import { openDatabase } from '../src/platform/postgres/database.ts'
import { makeFolder, run } from './command-line.ts'
import { startProcess } from './processes.ts'
import { killAll, processesOf, type Started, startAllInOne } from './start/all-in-one.ts'
import { paste } from './start/paste.ts'
import { until } from './until.ts'

t.test('npm start', async (t) => {
  const folder = await makeFolder(t)
  const dataDir = path.join(folder, 'data')
  const start = () => startAllInOne(t, { DATA_DIR: dataDir })
  const cli = (...args: string[]) => run({ DATA_DIR: dataDir }, ...args)
  let service: Started
  let reference: string
  let key: string

  const stillBooked = async (t: Test) => {
    const sql = openDatabase((await findEmbeddedPostgres(dataDir))!, {
      poolSize: 1,
      applicationName: 'abs-test',
    })
    const [booking] = await sql`select status from bookings where reference = ${reference}`
    await sql.end()
    t.equal(booking?.status, 'confirmed')
    t.match(await cli('bookings', 'audit', '--account', 'demo'), { code: 0 })
  }

  t.test(
    'the first start shows a live key, a test key and three requests that work as printed',
    async (t) => {
      service = start()
      const [products, dates, book] = await service.requests()
      t.match(service.printed.stdout, /^Demo key, shown only this once: abs_\d\S+$/m)
      t.match(
        service.printed.stdout,
        /^Demo test key, which sells nothing, shown only this once: abs_test_\S+$/m,
      )
      t.ok((await paste(products!, folder)).data.length > 0)
      t.ok((await paste(dates!, folder)).data.length > 0)
      const { data } = await paste(book!, folder)
      t.match(data, { BookingReference: String, Status: 'confirmed' })
      reference = data.BookingReference
      t.notMatch(service.printed.stderr, /Warning/)
    },
  )

  t.test(
    'a second start on the same data is refused in one line, and the processes stay the same',
    async (t) => {
      const before = (await processesOf(dataDir)).map(({ pid }) => pid)
      const second = start()
      t.equal(await second.ended, 1)
      t.equal(second.printed.stdout, '')
      t.match(second.printed.stderr, /^npm start already runs on [^\n]+\n$/)
      t.same(
        (await processesOf(dataDir)).map(({ pid }) => pid),
        before,
      )
    },
  )

  t.test('the command line works while the service runs', async (t) => {
    const made = await cli('keys', 'create', '--account', 'demo', '--scope', 'ota')
    t.match(made, { code: 0, stderr: '' })
    key = made.stdout.trim()
  })

  t.test('webhooks listen receives events without any setting', async (t) => {
    const listening = startProcess(
      t,
      'src/cli.js',
      { DATA_DIR: dataDir },
      ...['webhooks', 'listen', '--account', 'demo', '--event', 'booking.*'],
    )
    await until(() => /A test delivery has arrived/.test(listening.output()))
    const [, , book] = await service.requests()
    const again = book!.replace(/Idempotency-Key: \S+'/, "Idempotency-Key: listened'")
    const { data } = await paste(again, folder)
    await until(() => listening.output().includes(`BookingReference=${data.BookingReference}`))
    t.equal(await listening.stop('SIGINT'), 0)
    t.match(listening.output(), /Endpoint \d+ is deleted\.\n$/)
  })

  t.test('a web process that dies is started again', async () => {
    const web = async () =>
      (await processesOf(dataDir)).find(({ command }) => /^node .*server\.js/.test(command))
    process.kill((await web())!.pid, 'SIGKILL')
    await until(() => /^web ended .*; starting it again/m.test(service.printed.stderr))
    await until(async () => (await fetch(`${service.baseUrl()}/healthz`).catch(() => null))?.ok === true)
  })

  t.test('SIGTERM ends all processes, and PostgreSQL shuts down cleanly', async (t) => {
    service.kill('SIGTERM')
    t.equal(await service.ended, 0)
    t.same(await processesOf(dataDir), [])
    const log = await readFile(path.join(dataDir, 'postgres/server.log'), 'utf8')
    t.match(log.trimEnd().split('\n').at(-1), /database system is shut down/)
  })

  t.test('a later start shows how to make a key, and requests that work with it', async (t) => {
    service = start()
    const [products, dates, book] = await service.requests()
    t.match(service.printed.stdout, 'KEY=$(npm run --silent cli -- keys create --account demo --scope ota')
    for (const line of [products!, dates!]) t.ok((await paste(line, folder, { KEY: key })).data.length > 0)
    t.match(await paste(book!, folder, { KEY: key }), { data: { Status: 'confirmed' } })
    await stillBooked(t)
  })

  t.test('when npm start is killed, the web process and the worker end by themselves', async () => {
    service.kill('SIGKILL')
    await service.ended
    await until(async () => (await processesOf(dataDir)).every(({ command }) => /postgres/.test(command)))
  })

  t.test('npm start recovers after it was killed while its child processes still run', async (t) => {
    const killed = start()
    await killed.requests()
    killed.kill('SIGKILL')
    service = start()
    await service.requests()
    await stillBooked(t)
  })

  t.test('npm start recovers after all its processes were killed', async (t) => {
    await killAll(dataDir)
    service = start()
    await service.requests()
    await stillBooked(t)
    service.kill('SIGINT')
    t.equal(await service.ended, 0)
    t.same(await processesOf(dataDir), [])
  })
})
