/** PgBouncer with the settings of `ops/pgbouncer.ini`, in transaction mode, in front of a PostgreSQL. */
import { spawn, spawnSync } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { projectPath } from '../../src/platform/project/paths.ts'
import { accepts, runAs } from './debian-postgres.ts'
import { createMember, type Member } from './member.ts'

const workersPool = 'booking_worker'

/**
 * A pooler for every database of a server, not started yet. Its URL is that of the server with another port. Anybody
 * on this machine may connect.
 * @param folder where its configuration is written; the caller removes it.
 * @param settings lines of its configuration that differ, such as `default_pool_size = 4`.
 */
export async function createPgbouncer(
  name: string,
  folder: string,
  serverUrl: string,
  settings: string[] = [],
): Promise<Member> {
  const server = new URL(serverUrl)
  const port = await probePort('127.0.0.1', 0)
  const file = path.join(folder, `${name}.ini`)
  const example = await readFile(projectPath('ops', 'pgbouncer.ini'), 'utf8')
  const password = server.password && ` password='${server.password}'`
  const target = `host=${server.hostname} port=${server.port} user=${server.username}${password}`
  const configuration = example
    .replace('booking = host=postgres port=5432 dbname=booking', `* = ${target}`)
    .replace(
      'booking_worker = host=postgres port=5432 dbname=booking',
      `${workersPool} = ${target} dbname=${server.pathname.slice(1)}`,
    )
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('auth_type = scram-sha-256', 'auth_type = any')
    .replace(/^auth_file.*$/m, '')
  // If a setting is repeated, the last one counts.
  await writeFile(file, [configuration, ...settings, ''].join('\n'))
  // PgBouncer does not run as root, and its user must be able to read the folder.
  await chmod(folder, 0o755)
  const user = await runAs()
  const url = Object.assign(new URL(serverUrl), { host: `127.0.0.1:${port}` }).href
  return createMember({
    name,
    url,
    launch: () => spawn('pgbouncer', ['--quiet', file], { stdio: 'ignore', ...user }),
    isReady: () => accepts(url),
  })
}

/** The URL of the workers' pool of a pooler. @param url the URL of the pooler. */
export function workersUrl(url: string): string {
  return Object.assign(new URL(url), { pathname: `/${workersPool}` }).href
}

/** Whether there is a PgBouncer on the PATH. */
export function isInstalled(): boolean {
  return spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0
}
