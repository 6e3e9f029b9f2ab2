/**
 * Programs of a small system as in production, for rehearsals and fault tests: each can be started,
 * signalled, ended and restarted at the same address. Programs that still run when this process ends are
 * killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { linkToParent } from '../../src/platform/process/end-with-parent.ts'
import { projectPath } from '../../src/platform/project/paths.ts'
import { until } from '../until.ts'

export type Member = {
  name: string
  /** The address at which it listens, the same after each start; empty for a program that does not listen. */
  url: string
  /** Starts it and resolves when it is ready. @throws when it ended, or is not ready within two minutes. */
  start(): Promise<void>
  /** Whether its process exists. A process that SIGSTOP has suspended exists. */
  isRunning(): boolean
  signal(signal: NodeJS.Signals): void
  /** Asks it to end, and resolves with its exit code when it has; it is killed after two minutes. */
  stop(): Promise<number | null>
  /** Sends SIGKILL, and resolves when the process has ended. */
  kill(): Promise<void>
}

type Program = {
  name: string
  url?: string
  launch: () => ChildProcess
  /** Whether the program is ready; without this function, it is ready as soon as it runs. */
  isReady?: () => Promise<boolean>
}

type Environment = Record<string, string>

const startMs = 120_000
const stopMs = 120_000
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A program that is not started yet. */
export function createMember({ name, url = '', launch, isReady = async () => true }: Program): Member {
  let child: ChildProcess | undefined
  const isRunning = () => child !== undefined && running.has(child)

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (!child || !isRunning()) return child?.exitCode ?? null
    const exited = once(child, 'exit')
    child.kill(signal)
    const timer = setTimeout(() => child?.kill('SIGKILL'), stopMs)
    await exited
    clearTimeout(timer)
    return child.exitCode
  }

  return {
    name,
    url,
    async start() {
      child = launch()
      const own = child
      running.add(own)
      own.once('exit', () => running.delete(own))
      await once(own, 'spawn')
      await until(async () => {
        if (!isRunning()) throw new Error(`${name} ended with code ${own.exitCode}`)
        return isReady()
      }, startMs)
    },
    isRunning,
    signal: (signal) => void child?.kill(signal),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}

/** A web process of the build, or of a build in another folder. */
export async function webMember(
  name: string,
  environment: Environment,
  project = projectPath(),
): Promise<Member> {
  const port = String(await probePort('127.0.0.1', 0))
  const file = path.join(project, 'dist', 'src', 'server.js')
  return nodeMember(name, file, { ...environment, PORT: port }, port, '/readyz')
}

/** A worker process of the build, or of a build in another folder. */
export async function workerMember(
  name: string,
  environment: Environment,
  project = projectPath(),
): Promise<Member> {
  const port = String(await probePort('127.0.0.1', 0))
  const file = path.join(project, 'dist', 'workers', 'worker.js')
  return nodeMember(name, file, { ...environment, WORKER_PORT: port }, port, '/healthz')
}

function nodeMember(name: string, file: string, environment: Environment, port: string, ready: string) {
  const url = `http://127.0.0.1:${port}`
  return createMember({
    name,
    url,
    launch() {
      const child = spawn(process.execPath, [file], {
        env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...environment },
        stdio: ['pipe', 'inherit', 'inherit'],
      })
      linkToParent(child.stdin!)
      return child
    },
    isReady: () => answersOk(url + ready),
  })
}

/** Whether a request to this address gets a status of success. */
export function answersOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
