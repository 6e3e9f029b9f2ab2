/** Runs tap as a child and counts what it reports. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Parser } from 'tap-parser'
import { projectPath } from '../src/platform/paths.ts'

/** What tap counts itself: assertions, and subtests that hold none. `status` is tap's exit code. */
export type TapOutcome = { status: number; passed: number; failed: number; skipped: number }

/** Runs tap with more environment variables; an interruption ends it early, with status 130. */
export async function runTap(
  args: string[],
  variables: Record<string, string>,
  interruption: AbortSignal,
): Promise<TapOutcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-tap-'))
  const output = path.join(folder, 'output.tap')
  // Progress is for people; a log gets only what went wrong.
  const reporter = `--reporter=${process.stdout.isTTY ? 'terse' : 'min'}`
  try {
    const tap = spawn(projectPath('node_modules/.bin/tap'), [reporter, `--output-file=${output}`, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...variables },
    })
    interruption.addEventListener('abort', () => tap.kill())
    if (interruption.aborted) tap.kill()
    const [code] = (await once(tap, 'exit')) as [number | null]
    const status = interruption.aborted ? 130 : (code ?? 1)
    return { status, ...(await count(output)) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function count(file: string): Promise<Omit<TapOutcome, 'status'>> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const parser = new Parser()
  parser.on('result', ({ ok, skip, todo }) => {
    if (skip) counts.skipped++
    else if (!todo) counts[ok ? 'passed' : 'failed']++
  })
  await pipeline(createReadStream(file), parser)
  return counts
}
