/** The steps of a backup and of a restore to a point in time, with the settings that docs/backup.md names. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Queryable, Sql } from '../../src/platform/postgres/database.ts'
import { type Cluster, clusterIn, createCluster, makeFolder, runProgram } from '../fleet/debian-postgres.ts'
import { readTotals, type Totals } from '../fleet/totals.ts'
import { until } from '../until.ts'

/** A cluster, not started yet, that archives its WAL in a folder beside it, at most two seconds late. */
export async function createArchivingCluster(folder: string): Promise<{ cluster: Cluster; archive: string }> {
  const archive = path.join(folder, 'archive')
  await makeFolder(archive)
  const cluster = await createCluster('postgres', path.join(folder, 'data'), settingsOf(archive))
  return { cluster, archive }
}

// Each file is renamed when it is complete, so that a restore never reads a part of a file.
const settingsOf = (archive: string) => [
  'archive_mode=on',
  `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
  'archive_timeout=2s',
]

/** Copies a running cluster, which goes on serving. */
export async function takeBaseBackup(cluster: Cluster, folder: string): Promise<void> {
  await makeFolder(folder)
  const source = `--dbname=host=127.0.0.1 port=${cluster.port} user=postgres`
  await runProgram('pg_basebackup', [`--pgdata=${folder}`, source, '--checkpoint=fast'])
}

export type Moment = {
  /** The instant as PostgreSQL writes it, to the microsecond. */
  at: string
  totals: Totals
  /** A hash of the reference and status of every booking. */
  fingerprint: string
}

/**
 * Reads the exact state at one instant of a database under load. Two locks make all writers wait meanwhile:
 * every change of a booking locks its timeslot first, and all usage is inserted as an entry.
 */
export function noteMoment(sql: Sql): Promise<Moment> {
  return sql.begin(async (tx) => {
    await tx`lock table timeslots in exclusive mode`
    await tx`lock table meter_entries in share mode`
    return { totals: await readTotals(tx), ...(await readState(tx)) }
  })
}

/** Reads the same state as `noteMoment` from a database without writers. */
export async function readMoment(sql: Sql): Promise<Omit<Moment, 'at'>> {
  const { fingerprint } = await readState(sql)
  return { totals: await readTotals(sql), fingerprint }
}

async function readState(sql: Queryable) {
  const [state] = await sql<{ at: string; fingerprint: string }[]>`
    select clock_timestamp()::text as at,
      (select md5(string_agg(reference || status, ',' order by reference)) from bookings) as fingerprint`
  return state!
}

/** Waits until everything committed so far is in the archive. The archive represents a second machine. */
export async function awaitArchived(sql: Sql): Promise<void> {
  const [now] = await sql<{ file: string }[]>`select pg_walfile_name(pg_current_wal_lsn()) as file`
  await until(async () => {
    const [{ file } = { file: null }] = await sql<{ file: string | null }[]>`
      select last_archived_wal as file from pg_stat_archiver`
    return file !== null && file.slice(0, 24) >= now!.file
  })
}

/**
 * Starts a cluster from a base backup. It replays the archive up to the instant `at`. Then it is independent,
 * on a new timeline and another port.
 */
export async function restoreTo(at: string, base: string, archive: string): Promise<Cluster> {
  await writeFile(path.join(base, 'recovery.signal'), '')
  const cluster = await clusterIn('restored', base, [
    ...settingsOf(archive),
    `restore_command=cp ${archive}/%f %p`,
    `recovery_target_time=${at}`,
    'recovery_target_action=promote',
  ])
  await cluster.start()
  const isRecovering = () => runProgram('psql', [cluster.url, '-Atc', 'select pg_is_in_recovery()'])
  await until(async () => (await isRecovering()).trim() === 'f')
  return cluster
}
