/**
 * The files of the embedded PostgreSQL in DATA_DIR/postgres: makes them, and reads from them whether and where a
 * server runs. It starts and stops none.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findPostgresPrograms, runsOn } from './postgres-programs.ts'

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

/**
 * Makes the cluster, its password and the application's database, unless they are there.
 * All of it appears at once, by a rename, so that a start that was killed leaves nothing half done. The caller
 * holds the lock of the data folder.
 */
export async function ensureCluster(dataDir: string): Promise<void> {
  const { folder } = clusterPaths(dataDir)
  if (await stat(folder).catch(() => null)) return
  const leftovers = (await readdir(dataDir)).filter((name) => /^postgres-new-/.test(name))
  for (const name of leftovers) await rm(path.join(dataDir, name), { recursive: true })
  const staging = path.resolve(dataDir, `postgres-new-${randomBytes(4).toString('hex')}`)
  await createIn(staging)
  await rename(path.join(staging, 'postgres'), folder)
  await rm(staging, { recursive: true })
}

async function createIn(staging: string): Promise<void> {
  const { cluster, password } = clusterPaths(staging)
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  const programs = await findPostgresPrograms(cluster)
  if (programs.runAs) await chown(cluster, programs.runAs.uid, programs.runAs.gid)
  const { address, options } = runsOn(cluster, programs)
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
  // In single-user mode nobody can connect yet, and the password crosses no file that others could read. To hash it
  // thousands of times would guard a password that can be guessed, and cost each connection milliseconds.
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

/** The URL of the application's database in this data folder's cluster, when it listens on `port`. */
export async function databaseUrl(dataDir: string, port: number): Promise<string> {
  const secret = await readFile(clusterPaths(dataDir).password, 'utf8')
  return `postgres://postgres:${secret}@127.0.0.1:${port}/${database}`
}

export type Postmaster = { pid: number; port: number }

/** The server that runs on the cluster, starting and stopping ones included; null when there is none. */
export async function findPostmaster(dataDir: string): Promise<Postmaster | null> {
  const { postmaster } = clusterPaths(dataDir)
  const lines = (await readFile(postmaster, 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && (await servesCluster(pid, dataDir)) ? { pid, port } : null
}

/**
 * Makes a postmaster.pid harmless that no server stands behind. PostgreSQL ignores one whose process is gone,
 * but not one whose number now belongs to somebody else, nor an empty one. The caller holds the lock of the data
 * folder and found no server.
 */
export async function healPostmasterFile(dataDir: string): Promise<void> {
  const { postmaster } = clusterPaths(dataDir)
  const text = await readFile(postmaster, 'utf8').catch(() => null)
  if (text === null) return
  const lines = text.split('\n')
  if (lines.length < 7) await rm(postmaster)
  // The parent's number is one that PostgreSQL knows cannot be a server. The rest of the file stays: by it
  // PostgreSQL sees whether a session of the dead server still works on the files.
  else await writeFile(postmaster, [process.pid, ...lines.slice(1)].join('\n'))
}

/** Whether the process with this number is a PostgreSQL server that works on the cluster. */
export async function servesCluster(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
    return path.basename(stdout.trim()) === 'postgres'
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // A zombie holds nothing any more; where nobody reaps it, it stays for ever.
  if (!/^\d+ \(postgres\) [^ZX]/.test(status)) return false
  const [here, there] = await Promise.all([
    stat(clusterPaths(dataDir).cluster),
    stat(`/proc/${pid}/cwd`).catch(() => null),
  ])
  // Not every container lets even root see that folder; then the name has to do.
  return there === null || (here.ino === there.ino && here.dev === there.dev)
}
