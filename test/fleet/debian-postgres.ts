/**
 * A PostgreSQL from Debian's packages (postgresql-15 or newer). Unlike the embedded one, it has pg_basebackup, which
 * makes a standby of a running server. Clusters are made in a folder of the caller, who removes it.
 */
import { execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { createMember, type Member } from './member.ts'

const run = promisify(execFile)
const packages = '/usr/lib/postgresql'

export type Cluster = Member & { folder: string; port: number }

/**
 * A cluster with an empty database `booking`, not started yet; anybody on this machine may connect as `postgres`.
 * @param settings lines of postgresql.conf, such as `max_connections=50`.
 */
export async function createCluster(name: string, folder: string, settings: string[] = []): Promise<Cluster> {
  await makeFolder(folder)
  await runProgram('initdb', [`--pgdata=${folder}`, '--username=postgres', '--auth=trust', ...utf8])
  const cluster = await clusterIn(name, folder, settings)
  await cluster.start()
  const client = new pg.Client(urlOf(cluster.port, 'postgres'))
  await client.connect()
  await client.query('create database booking')
  await client.end()
  await cluster.stop()
  return cluster
}

/** A standby that follows a running cluster by streaming, not started yet. */
export async function createStandby(
  name: string,
  folder: string,
  primary: Cluster,
  settings: string[] = [],
): Promise<Cluster> {
  await makeFolder(folder)
  const source = urlOf(primary.port, 'postgres')
  await runProgram('pg_basebackup', [
    `--pgdata=${folder}`,
    `--dbname=${source}`,
    '--write-recovery-conf',
    '--checkpoint=fast',
  ])
  return clusterIn(name, folder, settings)
}

/** A server, not started yet, for a folder with a cluster's files, on its own port, which does not change. */
export async function clusterIn(name: string, folder: string, settings: string[] = []): Promise<Cluster> {
  const port = await probePort('127.0.0.1', 0)
  const given = [`port=${port}`, ...common, ...settings].flatMap((line) => ['-c', line])
  const program = path.join(await findPrograms(), 'postgres')
  const user = await runAs()
  const url = urlOf(port, 'booking')
  const member = createMember({
    name,
    url,
    launch: () => spawn(program, ['-D', folder, ...given], { cwd: '/', stdio: 'ignore', ...user }),
    isReady: () => accepts(urlOf(port, 'postgres')),
  })
  // SIGTERM would wait for every client to leave; SIGINT is PostgreSQL's fast shutdown.
  const stop = async () => {
    member.signal('SIGINT')
    return member.stop()
  }
  return { ...member, stop, folder, port }
}

/** Runs one of PostgreSQL's programs as the user that owns the clusters. */
export async function runProgram(name: string, args: string[]): Promise<string> {
  const { stdout } = await run(path.join(await findPrograms(), name), args, {
    cwd: '/',
    env: { ...process.env, LC_ALL: 'C' },
    ...(await runAs()),
  })
  return stdout
}

/** Whether the server of Debian's PostgreSQL is installed here, not only its client. */
export function isInstalled(): Promise<boolean> {
  return findPrograms().then(
    () => true,
    () => false,
  )
}

const utf8 = ['--encoding=UTF8', '--locale=C.UTF-8']
const common = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_level=replica', 'timezone=UTC']

function urlOf(port: number, database: string): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`
}

async function findPrograms(): Promise<string> {
  const versions = (await readdir(packages).catch(() => [])).map(Number).sort((one, other) => other - one)
  for (const version of versions) {
    const folder = path.join(packages, String(version), 'bin')
    if ((await readdir(folder).catch((): string[] => [])).includes('initdb')) return folder
  }
  throw new Error('install PostgreSQL: apt-get install postgresql')
}

/**
 * The user to run as if this process is root; null otherwise. PostgreSQL and PgBouncer do not run as root,
 * and their packages create a user.
 */
export async function runAs(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'postgres'])))
  return { uid: Number(uid!.stdout), gid: Number(gid!.stdout) }
}

/** A folder that PostgreSQL may write to. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // PostgreSQL's user must be able to enter the parent folder.
  await chmod(path.dirname(folder), 0o755)
  const user = await runAs()
  if (user) await chown(folder, user.uid, user.gid)
}

/** Whether a PostgreSQL answers at this address. */
export async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
