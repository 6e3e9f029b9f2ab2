/**
 * The PostgreSQL server of a run, from the programs of the npm package, and its standby. A restart does not
 * change their ports.
 */
import { spawn } from 'node:child_process'
import { appendFile, chown, cp, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { clusterPaths, databaseUrl, ensureCluster } from '../../src/platform/embedded/postgres-cluster.ts'
import { findPostgresPrograms, spawnSettings } from '../../src/platform/embedded/postgres-programs.ts'
import { accepts } from '../fleet/debian-postgres.ts'
import { createMember, type Member } from '../fleet/member.ts'

/** Settings that fit on a small disk. The settings of durability are PostgreSQL's defaults. */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=150',
  'shared_buffers=64MB',
  'min_wal_size=32MB',
  'max_wal_size=96MB',
  // Kept for a standby that is down for a time.
  'wal_keep_size=64MB',
  'jit=off',
  'timezone=UTC',
]

/** A server that is not started yet. It has an empty database for the service, if the folder was empty. */
export async function createPostgres(name: string, folder: string, logFolder: string): Promise<Member> {
  await mkdir(folder, { recursive: true })
  await ensureCluster(folder)
  return serverOn(name, folder, logFolder)
}

/** A standby of a server that is not running, made of a copy of its files; not started yet. */
export async function createStandby(
  name: string,
  folder: string,
  { of, primary, logFolder }: { of: string; primary: Member; logFolder: string },
): Promise<Member> {
  await mkdir(folder, { recursive: true })
  await cp(clusterPaths(of).folder, clusterPaths(folder).folder, {
    recursive: true,
    preserveTimestamps: true,
  })
  const { cluster } = clusterPaths(folder)
  await writeFile(path.join(cluster, 'standby.signal'), '')
  await appendFile(path.join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`)
  const { runAs } = await findPostgresPrograms(clusterPaths(of).cluster)
  if (runAs) await chownAll(cluster, runAs.uid, runAs.gid)
  return serverOn(name, folder, logFolder)
}

async function serverOn(name: string, folder: string, logFolder: string): Promise<Member> {
  const { cluster } = clusterPaths(folder)
  const programs = await findPostgresPrograms(cluster)
  const { address, options } = spawnSettings(cluster, programs)
  const port = await probePort('127.0.0.1', 0)
  const url = await databaseUrl(folder, port)
  const given = [`port=${port}`, ...settings].flatMap((line) => ['-c', line])
  // The log is outside of the disk that is filled, so that it can still be written.
  const log = await open(path.join(logFolder, `${name}.log`), 'a')
  const member = createMember({
    name,
    url,
    launch: () =>
      spawn(programs.postgres, ['-D', address, ...given], { ...options, stdio: ['ignore', log.fd, log.fd] }),
    isReady: () => accepts(url),
  })
  const stop = async () => {
    // SIGTERM would wait for every client to leave; SIGINT is PostgreSQL's fast shutdown.
    member.signal('SIGINT')
    return member.stop()
  }
  return { ...member, stop }
}

async function chownAll(folder: string, uid: number, gid: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true })
  for (const entry of ['', ...entries]) await chown(path.join(folder, entry), uid, gid)
}
