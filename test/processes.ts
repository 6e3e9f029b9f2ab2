/** The service's own processes, started from the build as in production. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { probePort } from '../src/platform/embedded/ports.ts'
import { linkToParent } from '../src/platform/process/end-with-parent.ts'
import { projectPath } from '../src/platform/project/paths.ts'
import { until } from './until.ts'

export type Process = {
  child: ChildProcess
  /** The output until now. */
  output: () => string
  /** Resolves with the exit code when it has ended and all its output was read. */
  ended: Promise<number | null>
  /** Sends a signal, and resolves with the exit code when it has ended. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts a built entry file with arguments. It is killed when the test ends. */
export function startProcess(
  t: Test,
  entry: string,
  environment: Record<string, string>,
  ...args: string[]
): Process {
  const child = spawn(process.execPath, ['--enable-source-maps', projectPath('dist', entry), ...args], {
    env: { ...process.env, LOG_LEVEL: 'info', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  linkToParent(child.stdin)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ended = once(child, 'close').then(() => child.exitCode)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    output: () => output,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** A running web process and its address. If another process takes its port, it starts on another port. */
export async function startWeb(t: Test, databaseUrl: string, environment: Record<string, string> = {}) {
  for (let triesLeft = 5; ; triesLeft--) {
    const port = await probePort('127.0.0.1', 0)
    const web = startProcess(t, 'src/server.js', {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PUBLIC_URL: 'http://booking.test',
      // If the machine stops for seconds, requests still get no 503, and connections stay open.
      REQUEST_TIMEOUT_SECONDS: '120',
      SHUTDOWN_TIMEOUT_SECONDS: '120',
      ...environment,
    })
    const url = `http://127.0.0.1:${port}`
    const hasEnded = () => web.child.exitCode !== null || web.child.signalCode !== null
    let isReady = false
    await until(async () => {
      isReady = await answersReady(url)
      return isReady || hasEnded()
    })
    if (isReady && !hasEnded()) return { ...web, url }
    if (triesLeft === 1) throw new Error(`the web process does not start: ${web.output()}`)
  }
}

function answersReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
