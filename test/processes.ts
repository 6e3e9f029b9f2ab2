/** The service's own processes, from the build, as ops run them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { probePort } from '../src/platform/embedded/ports.ts'
import { promiseEnd } from '../src/platform/process/end-with-parent.ts'
import { projectPath } from '../src/platform/project/paths.ts'
import { until } from './until.ts'

export type Process = {
  child: ChildProcess
  /** Everything it wrote so far. */
  output: () => string
  /** Sends a signal, and resolves with the exit code once it has ended. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts a built entry file. It is killed when the test ends, whatever became of it. */
export function startProcess(t: Test, entry: string, environment: Record<string, string>): Process {
  const child = spawn(process.execPath, ['--enable-source-maps', projectPath('dist', entry)], {
    env: { ...process.env, LOG_LEVEL: 'info', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  promiseEnd(child.stdin)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const exited = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}

/** A web process that answers, and where. */
export async function startWeb(t: Test, databaseUrl: string, environment: Record<string, string> = {}) {
  const port = await probePort('127.0.0.1', 0)
  const web = startProcess(t, 'src/server.js', {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PUBLIC_URL: 'http://booking.test',
    ...environment,
  })
  const url = `http://127.0.0.1:${port}`
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(ready)
  return { ...web, url }
}
