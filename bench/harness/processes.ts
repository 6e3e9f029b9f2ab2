/** The measured processes, ours and the rivals’, started from the build as in production. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { linkToParent } from '../../src/platform/process/end-with-parent.ts'
import { projectPath } from '../../src/platform/project/paths.ts'

export type Running = { name: string; url: string; pid: number; stop(): Promise<void> }
type Environment = Record<string, string>
/** A built checkout and the Node.js that runs it. */
export type Build = { root: string; node: string }

const thisBuild: Build = { root: projectPath(), node: process.execPath }
const startMs = 120_000
const stopMs = 60_000
const running = new Map<ChildProcess, Running>()
process.on('exit', () => {
  for (const child of running.keys()) child.kill('SIGKILL')
})

/** As in package.json, the systemd units and the image: all threads share one arena of malloc. */
const asInProduction = { MALLOC_ARENA_MAX: '1' }

/** Starts this many web processes of this service, each on its own port. */
export function startWebs(count: number, environment: Environment, build = thisBuild): Promise<Running[]> {
  const file = path.join(build.root, 'dist', 'src', 'server.js')
  return several(count, (number) =>
    start(`web ${number}`, [build.node, file], { ...asInProduction, ...environment }, '/readyz'),
  )
}

export function startWorkers(count: number, environment: Environment, build = thisBuild): Promise<Running[]> {
  const file = path.join(build.root, 'dist', 'workers', 'worker.js')
  return several(count, (number) =>
    start(`worker ${number}`, [build.node, file], { ...asInProduction, ...environment }, '/healthz'),
  )
}

/** Starts this many processes of a program that listens on PORT and responds 200 at `/`. */
export function startRivals(count: number, file: string[], environment: Environment): Promise<Running[]> {
  return several(count, (number) =>
    start(`${file.at(-1)} ${number}`, [process.execPath, projectPath(...file)], environment, '/'),
  )
}

export async function stopAll(processes: Running[]): Promise<void> {
  await Promise.all(processes.map((process) => process.stop()))
}

/** Ends all processes that a part has left running. */
export function stopEverything(): Promise<void> {
  return stopAll([...running.values()])
}

/** Peaks of resident memory, in megabytes, from now until the returned function is called. */
export function watchMemory(processes: Running[]): () => Record<string, number> {
  const peaks = new Map<string, number>()
  const look = () => {
    for (const { name, pid } of processes)
      peaks.set(name, Math.max(peaks.get(name) ?? 0, residentMegabytes(pid)))
  }
  const timer = setInterval(look, 100)
  return () => {
    clearInterval(timer)
    look()
    return Object.fromEntries(peaks)
  }
}

/** The present memory of a process; 0 if the system does not report it, or the process has ended. */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function several(count: number, one: (number: number) => Promise<Running>): Promise<Running[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => one(index + 1)))
}

async function start(
  name: string,
  [node, file]: [string, string],
  environment: Environment,
  readiness: string,
): Promise<Running> {
  const port = String(await probePort('127.0.0.1', 0))
  const child = spawn(node, [file], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', PORT: port, WORKER_PORT: port, ...environment },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const exited = once(child, 'exit').finally(() => running.delete(child))
  linkToParent(child.stdin!)
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
    await exited
    clearTimeout(timer)
  }
  const it = { name, url, pid: child.pid!, stop }
  running.set(child, it)
  await answers(name, child, `${url}${readiness}`)
  return it
}

async function answers(name: string, child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + startMs
  while (child.exitCode === null && Date.now() < deadline) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await delay(20)
  }
  child.kill('SIGKILL')
  throw new Error(`${name} does not start`)
}
