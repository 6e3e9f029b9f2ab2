/**
 * The files of the embedded PostgreSQL in DATA_DIR/postgres. This module makes them, and reads from them
 * whether and where a server runs. It does not start or stop a server.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findPostgresPrograms, spawnSettings } from './postgres-programs.ts'

const run = promisify(execFile)
const database = 'activity_booking'

export function clusterPaths(dataDir: string) {
  const folder = path.resolve(dataDir, 'postgres')
  return {
    folder,
    cluster: path.join(folder, 'cluster'),
    password: path.join(folder, 'password'),
    port: path.join(folder, 'port'),
    log: path.join(folder, 'server.log'),
    postmaster: path.join(folder, 'cluster/postmaster.pid'),
  }
}

/** Whether the data folder has a cluster. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await stat(clusterPaths(dataDir).folder).catch(() => null)) !== null
}

/**
 * Makes the cluster, its password and the application's database, unless they exist. All of it appears at
 * once, by a rename, so a start that is killed leaves nothing half done. The caller holds the lock of the
 * data folder.
 */
export async function ensureCluster(dataDir: string): Promise<void> {
  if (await hasCluster(dataDir)) return
  const leftovers = (await readdir(dataDir)).filter((name) => /^postgres-new-/.test(name))
  for (const name of leftovers) await rm(path.join(dataDir, name), { recursive: true })
  const staging = path.resolve(dataDir, `postgres-new-${randomBytes(4).toString('hex')}`)
  await createIn(staging)
  await rename(path.join(staging, 'postgres'), clusterPaths(dataDir).folder)
  await rm(staging, { recursive: true })
}

async function createIn(staging: string): Promise<void> {
  const { cluster, password } = clusterPaths(staging)
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  const programs = await findPostgresPrograms(cluster)
  if (programs.runAs) await chown(cluster, programs.runAs.uid, programs.runAs.gid)
  const { address, options } = spawnSettings(cluster, programs)
  await run(
    programs.initdb,
    [
      `--pgdata=${address}`,
      '--username=postgres',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--auth-local=reject',
      '--auth-host=scram-sha-256',
    ],
    options,
  )
  // In single-user mode no client can connect yet, and the password is in no file that others could read. One
  // hash iteration is enough for a random password, and saves each connection milliseconds.
  const secret = randomBytes(24).toString('base64url')
  const single = run(
    programs.postgres,
    ['--single', '-D', address, '-c', 'exit_on_error=on', 'postgres'],
    options,
  )
  single.child.stdin?.end(
    `set scram_iterations = 1;\nalter role postgres password '${secret}';\ncreate database ${database};\n`,
  )
  await single
  await writeFile(password, secret, { mode: 0o600, flush: true })
}

/** The URL of the application's database in this cluster, for a server on `port`. */
export async function databaseUrl(dataDir: string, port: number): Promise<string> {
  const secret = await readFile(clusterPaths(dataDir).password, 'utf8')
  return `postgres://postgres:${secret}@127.0.0.1:${port}/${database}`
}

export type Postmaster = { pid: number; port: number }

/** The server that runs on the cluster, also while it starts or stops; null when there is none. */
export async function findPostmaster(dataDir: string): Promise<Postmaster | null> {
  const { postmaster } = clusterPaths(dataDir)
  const lines = (await readFile(postmaster, 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && (await servesCluster(pid, dataDir)) ? { pid, port } : null
}

/**
 * Repairs a postmaster.pid that a dead server left behind. The file contains the id of the server's process.
 * PostgreSQL ignores the file if no process has this id. PostgreSQL refuses to start if another process has
 * this id now, or if the file is empty. The caller holds the lock of the data folder and has found no server.
 */
export async function repairPostmasterFile(dataDir: string): Promise<void> {
  const { postmaster } = clusterPaths(dataDir)
  const text = await readFile(postmaster, 'utf8').catch(() => null)
  if (text === null) return
  const lines = text.split('\n')
  if (lines.length < 7) await rm(postmaster)
  // PostgreSQL knows that its parent process is no server, so it accepts this id. The other lines stay: they
  // show PostgreSQL whether a session of the dead server still works on the files.
  else await writeFile(postmaster, [process.pid, ...lines.slice(1)].join('\n'))
}

/**
 * Whether the process with this id is a PostgreSQL server on the cluster. Outside Linux, only the name of its
 * program is checked.
 */
export async function servesCluster(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
    return path.basename(stdout.trim()) === 'postgres'
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // A zombie holds no files. Without a parent that reaps it, it stays for ever.
  if (!/^\d+ \(postgres\) [^ZX]/.test(status)) return false
  const [here, there] = await Promise.all([
    stat(clusterPaths(dataDir).cluster),
    stat(`/proc/${pid}/cwd`).catch(() => null),
  ])
  // In some containers, not even root may read the working folder of another process. Then its name decides.
  return there === null || (here.ino === there.ino && here.dev === there.dev)
}
