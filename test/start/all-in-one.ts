/** Runs `npm start` (after its build) as a user does, and reads its output and processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { Test } from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { until } from '../until.ts'

export type Started = ReturnType<typeof startAllInOne>

/**
 * Runs `npm start` with these environment variables, by default on a free port. Processes that still run are
 * killed after the test.
 */
export function startAllInOne(t: Test, variables: Record<string, string> & { DATA_DIR: string }) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [projectPath('dist/src/start.js')], {
    env: { PATH, HOME, PORT: '0', LOG_LEVEL: 'error', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  t.teardown(() => killAll(variables.DATA_DIR))
  return {
    printed,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Waits for the three printed requests, and returns them. */
    async requests(): Promise<string[]> {
      const found = () => printed.stdout.match(/^curl .*$/gm) ?? []
      await until(() => found().length === 3 || child.exitCode !== null || child.signalCode !== null)
      if (found().length < 3) throw new Error(`npm start ended: ${printed.stderr}`)
      return found()
    },
    baseUrl: () => printed.stdout.match(/http:\/\/[^\s,]+/)![0],
  }
}

export type Process = { pid: number; command: string }

/** All processes with this DATA_DIR in their environment, with any parent. Only on Linux; elsewhere none. */
export async function processesOf(dataDir: string): Promise<Process[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = (await read(pid, 'environ')).split('\0')
      const command = (await read(pid, 'cmdline')).replaceAll('\0', ' ')
      return environment.includes(`DATA_DIR=${dataDir}`) ? [{ pid: Number(pid), command }] : []
    }),
  )
  return found.flat()
}

/** Kills every process of this data folder, in no particular order, as a power cut does, and waits for their end. */
export async function killAll(dataDir: string): Promise<void> {
  for (const { pid } of await processesOf(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
  await until(async () => (await processesOf(dataDir)).length === 0)
}
