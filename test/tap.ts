/** Runs tap as a child, counts its results, and reports failures. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Parser, type Result } from 'tap-parser'
import { projectPath } from '../src/platform/project/paths.ts'
import { slowestFiles } from './processor-times.ts'

/**
 * The counts of tap: assertions, and subtests without any. `failures` has a line for each failure; `status`
 * is tap's exit code; `slowest` lists the files with most processor time.
 */
export type TapOutcome = Counts & { status: number; slowest: string[] }

type Counts = { passed: number; failures: string[]; skipped: number }

/** Runs tap with more environment variables; an interruption ends it early, with status 130. */
export async function runTap(
  args: string[],
  variables: Record<string, string>,
  interruption: AbortSignal,
): Promise<TapOutcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-tap-'))
  const output = path.join(folder, 'output.tap')
  const times = path.join(folder, 'times')
  // Progress is for people; a log gets only failures.
  const reporter = `--reporter=${process.stdout.isTTY ? 'terse' : 'min'}`
  try {
    const tap = spawn(projectPath('node_modules/.bin/tap'), [reporter, `--output-file=${output}`, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...variables, TEST_TIMES: times },
    })
    interruption.addEventListener('abort', () => tap.kill())
    if (interruption.aborted) tap.kill()
    const [code] = (await once(tap, 'exit')) as [number | null]
    const status = interruption.aborted ? 130 : (code ?? 1)
    return { status, ...(await count(output)), slowest: await slowestFiles(times) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function count(file: string): Promise<Counts> {
  const counts: Counts = { passed: 0, failures: [], skipped: 0 }
  const parser = new Parser()
  parser.on('result', (result) => {
    if (result.skip) counts.skipped++
    else if (!result.todo && result.ok) counts.passed++
    else if (!result.todo) counts.failures.push(describe(result))
  })
  await pipeline(createReadStream(file), parser)
  return counts
}

/**
 * A failure in one line: the file, the subtests down to the assertion, its position, and the difference, or
 * the exit code or signal of the process.
 */
function describe({ fullname, diag }: Result): string {
  const {
    at,
    diff = '',
    exitCode,
    signal,
  } = (diag ?? {}) as {
    at?: { fileName: string; lineNumber: number }
    diff?: string
    exitCode?: number
    signal?: string
  }
  const differs = diff.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line))
  const parts = [
    fullname,
    at && `(${at.fileName}:${at.lineNumber})`,
    exitCode && `exit code ${exitCode}`,
    signal,
    ...differs.map((line) => line.replace(/\s+/g, ' ')),
  ]
  return parts.filter(Boolean).join(' ').slice(0, longestLine)
}

const longestLine = 400
