/** The machine and the versions of a run. Absolute figures can be compared only on the same machine. */
import { execFile } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { promisify } from 'node:util'
import { projectPath } from '../../src/platform/project/paths.ts'
import { readVersions, type Stores } from './stores.ts'

export type Machine = {
  date: string
  commit: string
  processors: string
  memoryGigabytes: number
  node: string
  postgres: string
  redis: string
}

export async function describeMachine(stores: Stores): Promise<Machine> {
  const processors = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: await commit(),
    processors: `${processors.length} × ${processors[0]?.model.trim()}`,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    ...(await readVersions(stores)),
  }
}

/** Whether a program is on the PATH. */
export async function hasProgram(name: string, flag = '--version'): Promise<boolean> {
  return promisify(execFile)(name, [flag]).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}

async function commit(): Promise<string> {
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-C', projectPath(), ...args]).then(({ stdout }) => stdout.trim())
  try {
    const changed = await git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      'src',
      'workers',
      'bench/*.ts',
      'bench/*.lua',
      'bench/*.sql',
      'sql',
      'patches',
      'package-lock.json',
    )
    return `${await git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
  } catch {
    return 'unknown'
  }
}
