/**
 * The textbook transaction of a booking in pgbench: as fast as a client without HTTP and JavaScript can be.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectPath } from '../../src/platform/project/paths.ts'

export type Transactions = { perSecond: number; p50: number; p99: number; count: number }

/** Books one place on one of the `slots` timeslots from id `first` on, `clients` at a time, prepared. */
export async function runPgbench(
  databaseUrl: string,
  { first, slots, clients, seconds }: { first: number; slots: number; clients: number; seconds: number },
): Promise<Transactions> {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-pgbench-'))
  try {
    const script = projectPath('bench', 'rivals', 'textbook.sql')
    const args = [
      '-n',
      '-M',
      'prepared',
      '-f',
      script,
      '-D',
      `first=${first}`,
      '-D',
      `last=${first + slots - 1}`,
    ]
    // pgbench counts whole seconds. A shorter run is a trial, for which a few transactions are enough.
    args.push(
      '-c',
      String(clients),
      '-j',
      '2',
      ...(seconds < 1 ? ['-t', '10'] : ['-T', String(Math.round(seconds))]),
    )
    args.push(
      '-l',
      `--sampling-rate=${seconds < 1 ? 1 : 0.1}`,
      `--log-prefix=${path.join(folder, 'log')}`,
      databaseUrl,
    )
    const { stdout } = await promisify(execFile)('pgbench', args)
    const times = await readTimes(folder)
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN) / 1000
    return {
      // pgbench reports no rate when its clients were still connecting at the end.
      perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0),
      count: Number(/transactions actually processed: (\d+)/.exec(stdout)![1]),
      p50: at(0.5),
      p99: at(0.99),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Microseconds of the sampled transactions, in order: the third column of pgbench's log. */
async function readTimes(folder: string): Promise<number[]> {
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '')
  return lines.map((line) => Number(line.split(' ')[2])).sort((one, other) => one - other)
}
