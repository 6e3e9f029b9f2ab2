/** Runs the command line in a process of its own, and returns its output. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Test } from 'tap'
import { projectPath } from '../src/platform/project/paths.ts'
import { createDatabase } from './helper.ts'

export const program = projectPath('dist', 'src', 'cli.js')

export type Outcome = { code: number; stdout: string; stderr: string }

/** Runs a command with only `PATH` and the given environment. */
export function run(environment: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const options = { env: { PATH: process.env.PATH, ...environment }, maxBuffer: 2 ** 26 }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

/** A fresh database, `cli` to run commands on it, and `save`, which writes a file and returns its path. */
export async function prepareCommands(t: Test) {
  const database = await createDatabase(t)
  const folder = await makeFolder(t)
  return {
    ...database,
    cli: (...args: string[]) => run({ DATABASE_URL: database.url }, ...args),
    async save(name: string, content: string | Buffer): Promise<string> {
      const file = path.join(folder, name)
      await writeFile(file, content)
      return file
    },
  }
}

/** A folder that is removed at the end of the test. */
export async function makeFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-test-'))
  t.teardown(() => rm(folder, { recursive: true }))
  return folder
}

/** The form of a failure on standard error. */
export const oneLine = /^error: [^\n]+\n$/
