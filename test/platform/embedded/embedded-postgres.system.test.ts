/** The embedded PostgreSQL starts in an empty folder, keeps its data, and recovers after a kill. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/embedded/embedded-postgres.ts'
import { withDatabaseUrl } from '../../../src/platform/embedded/local-database.ts'
import { clusterPaths, findPostmaster } from '../../../src/platform/embedded/postgres-cluster.ts'
import { openDatabase } from '../../../src/platform/postgres/database.ts'
import { makeFolder } from '../../command-line.ts'
import { testConfig } from '../../helper.ts'
import { until } from '../../until.ts'

/** Runs a query on a new connection. Returns the first column of the first row. */
async function ask(url: string, query: string): Promise<unknown> {
  const sql = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
  try {
    const [row] = await sql.unsafe(query).values()
    return row?.[0]
  } finally {
    await sql.end()
  }
}

async function kill(folder: string): Promise<void> {
  const { pid } = (await findPostmaster(folder))!
  process.kill(pid, 'SIGKILL')
}

/**
 * Starts another process that runs `code`. The code can use the module as `platform`, and `folder`; said()
 * prints a text.
 */
function startOtherProcess(folder: string, module: string, code: string) {
  const file = path.resolve(import.meta.dirname, '../../../src/platform/embedded', module)
  const script = `import * as platform from ${JSON.stringify(file)}
    const folder = ${JSON.stringify(folder)}
    const said = () => process.stdout.write('so far')
    ${code}`
  const args = ['--input-type=module', '-e', script]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

function startElsewhere(folder: string) {
  return startOtherProcess(
    folder,
    'embedded-postgres.js',
    'await platform.startEmbeddedPostgres(folder).then(said)',
  )
}

t.test('a cluster', async (t) => {
  const folder = await makeFolder(t)
  const { cluster, password, postmaster } = clusterPaths(folder)
  const use = () => startEmbeddedPostgres(folder)

  t.test('is durable and in UTF-8, and accepts only local connections with its password', async (t) => {
    const { url, stop } = await use()
    t.equal(await ask(url, 'show server_encoding'), 'UTF8')
    t.equal(await ask(url, 'select datlocale from pg_database where datname = current_database()'), 'C.UTF-8')
    t.equal(await ask(url, 'show fsync'), 'on')
    t.equal(await ask(url, 'show synchronous_commit'), 'on')
    t.equal(await ask(url, 'show listen_addresses'), '127.0.0.1')
    t.equal((await stat(password)).mode & 0o777, 0o600)
    const stranger = new URL(url)
    stranger.password = 'guess'
    await t.rejects(ask(stranger.href, 'select 1'), { code: '28P01' })
    await ask(url, 'create table kept as select 7 as number')
    await stop()
    t.equal(await findEmbeddedPostgres(folder), null)
  })

  t.test('never runs as root, not even in a folder that only root may enter', async (t) => {
    const { stop } = await use()
    t.not((await stat(cluster)).uid, 0)
    t.equal((await stat(folder)).mode & 0o777, 0o700)
    if (process.platform === 'linux') {
      const { pid } = (await findPostmaster(folder))!
      t.equal((await stat(`/proc/${pid}`)).uid, (await stat(cluster)).uid)
    }
    await stop()
  })

  t.test('is stopped only when nothing uses it any more', async (t) => {
    const [first, second] = await Promise.all([use(), use()])
    t.equal(first.url, second.url)
    await first.stop()
    t.equal(await findEmbeddedPostgres(folder), second.url)
    t.equal(await ask(second.url, 'select number from kept'), 7)
    await second.stop()
    t.equal(await findEmbeddedPostgres(folder), null)
  })

  t.test('runs as long as a command needs it', async (t) => {
    const config = testConfig({ DATA_DIR: folder })
    const [one, two] = await Promise.all([
      withDatabaseUrl(config, (url) => ask(url, 'select number from kept')),
      withDatabaseUrl(config, (url) => ask(url, 'select number + 1 from kept')),
    ])
    t.same([one, two], [7, 8])
    await t.rejects(
      withDatabaseUrl(config, () => Promise.reject(new Error('refused'))),
      new Error('refused'),
    )
    t.equal(await findEmbeddedPostgres(folder), null)
  })

  t.test('is stopped by a command that is interrupted, even twice as npm does', async (t) => {
    const use = 'platform.withDatabaseUrl({ DATA_DIR: folder }, () => new Promise(said))'
    const command = startOtherProcess(folder, 'local-database.js', use)
    await once(command.stdout, 'data')
    command.kill('SIGINT')
    command.kill('SIGINT')
    t.same(await once(command, 'exit'), [130, null])
    t.equal(await findEmbeddedPostgres(folder), null)
  })

  t.test('is taken over from a process that was killed', async (t) => {
    const owner = startElsewhere(folder)
    await once(owner.stdout, 'data')
    owner.kill('SIGKILL')
    const orphan = await findPostmaster(folder)
    const { url, stop } = await use()
    t.same(await findPostmaster(folder), orphan)
    t.equal(await ask(url, 'select number from kept'), 7)
    await stop()
    t.equal(await findPostmaster(folder), null)
  })

  t.test(
    'reports that it is lost when it is killed, and comes back with its data on the same port',
    async (t) => {
      const killed = await use()
      await kill(folder)
      await killed.lost
      const { url, stop } = await use()
      t.equal(url, killed.url)
      t.equal(await ask(url, 'select number from kept'), 7)
      await stop()
    },
  )

  t.test('starts even if another process now has its old process id', async (t) => {
    const killed = await use()
    const left = await readFile(postmaster, 'utf8')
    await kill(folder)
    await killed.lost
    await writeFile(postmaster, left.replace(/^\d+/, String(process.ppid)))
    const { url, stop } = await use()
    t.equal(await ask(url, 'select number from kept'), 7)
    await stop()
  })

  t.test('starts even if a crash has left an empty postmaster.pid', async () => {
    await writeFile(postmaster, '')
    const { stop } = await use()
    await stop()
  })
})

t.test('a start that is killed while it makes the cluster does not disturb the next one', async (t) => {
  const folder = await makeFolder(t)
  // This process kills itself as soon as it has begun to make the cluster.
  const first = startOtherProcess(
    folder,
    'embedded-postgres.js',
    `const { readdirSync } = await import('node:fs')
      const isMaking = () => readdirSync(folder).some((name) => name.startsWith('postgres-new-'))
      setInterval(() => isMaking() && process.kill(process.pid, 'SIGKILL'), 1)
      await platform.startEmbeddedPostgres(folder)`,
  )
  t.same(await once(first, 'exit'), [null, 'SIGKILL'])
  t.notOk((await readdir(folder)).includes('postgres'))
  const { url, stop } = await startEmbeddedPostgres(folder)
  t.equal(await ask(url, 'select 1'), 1)
  await stop()
  t.same(await readdir(folder), ['postgres'])
})

t.test('several processes that start at once on a new folder share one cluster', async (t) => {
  const folder = await makeFolder(t)
  const others = [startElsewhere(folder), startElsewhere(folder)]
  const [{ url, stop }] = await Promise.all([
    startEmbeddedPostgres(folder),
    ...others.map(({ stdout }) => once(stdout, 'data')),
  ])
  t.equal(await findEmbeddedPostgres(folder), url)
  await stop()
  t.equal(await findEmbeddedPostgres(folder), url)
  for (const other of others) other.kill('SIGKILL')
  await Promise.all(others.map((other) => once(other, 'exit')))
  // After a moment, the server notices that the processes that used it were killed.
  await until(async () => {
    await startEmbeddedPostgres(folder).then((user) => user.stop())
    return (await findEmbeddedPostgres(folder)) === null
  })
})
