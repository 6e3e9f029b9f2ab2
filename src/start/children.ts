/**
 * Runs commands as children: starts each in a process group of its own, restarts it when it ends by itself,
 * and ends the whole group on request. It does not know what the commands do.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { linkToParent } from '../platform/process/end-with-parent.ts'
import { projectPath } from '../platform/project/paths.ts'

const soonMs = 5000
const tries = 3

export type Command = { name: string; line: string }
export type Children = {
  /** Rejects when a child has ended three times in a row, each time within 5 seconds of its start. */
  failed: Promise<never>
  /** Asks every child to end, and kills its process group after `graceMs`. Resolves when all have ended. */
  stop(graceMs: number): Promise<void>
  /** Kills every child at once; a stop under way then resolves. */
  kill(): void
}

/**
 * Starts the commands in the project's root with these variables. Each line must be one simple shell command,
 * without `&&` or a pipe, because the shell runs it with `exec`.
 */
export function startChildren(
  commands: Command[],
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Children {
  const stopping = new AbortController()
  const running = new Map<string, ChildProcess>()
  const launch = ({ name, line }: Command) => {
    // `exec` replaces the shell with the command, which then gets the signals itself.
    const child = spawn(`exec ${line}`, {
      shell: true,
      detached: true,
      cwd: projectPath(),
      env: environment,
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    linkToParent(child.stdin)
    running.set(name, child)
    return child
  }
  const keep = (command: Command) => keepRunning(command, () => launch(command), say, stopping.signal)
  const all = Promise.all(commands.map(keep))
  return {
    failed: new Promise((_, reject) => {
      all.catch(reject)
    }),
    async stop(graceMs) {
      stopping.abort()
      await Promise.all([...running.values()].map((child) => endGroup(child, graceMs)))
    },
    kill() {
      for (const child of running.values()) signal(child, 'SIGKILL', 'group')
    },
  }
}

async function keepRunning(
  { name }: Command,
  launch: () => ChildProcess,
  say: (line: string) => void,
  stopping: AbortSignal,
): Promise<void> {
  let soonEnded = 0
  while (!stopping.aborted) {
    const began = Date.now()
    const child = launch()
    const [code, ending] = (await once(child, 'exit')) as [number | null, string | null]
    if (stopping.aborted) return
    // Child processes of a command that was killed may still run, and would disturb its next start.
    signal(child, 'SIGKILL', 'group')
    soonEnded = Date.now() - began < soonMs ? soonEnded + 1 : 0
    const how = ending ? `by ${ending}` : `with code ${code}`
    if (soonEnded === tries)
      throw new Error(`${name} ended ${how}, ${tries} times in a row; its output says why`)
    const pauseMs = 500 * 2 ** soonEnded
    say(`${name} ended ${how}; starting it again in ${pauseMs / 1000} s`)
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => {})
  }
}

/**
 * Ends a process group, and kills it after `graceMs`. Sends SIGTERM first only to the command, because npm
 * passes it on: if the whole group got it, the processes under npm would get it twice, and a second signal
 * means that they must end at once.
 */
async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const deadline = Date.now() + graceMs
  signal(child, 'SIGTERM', 'leader')
  let signalledAll = false
  while (signal(child, 0, 'group') && Date.now() < deadline) {
    const orphans = child.exitCode !== null || child.signalCode !== null
    if (orphans && !signalledAll) signalledAll = signal(child, 'SIGTERM', 'group')
    await delay(20)
  }
  const lastDeadline = Date.now() + 1000
  while (signal(child, 'SIGKILL', 'group') && Date.now() < lastDeadline) await delay(20)
}

/**
 * Sends a signal to the child, or to its whole process group. 0 only tests whether it exists. Returns whether
 * a process received it.
 */
function signal({ pid }: ChildProcess, name: NodeJS.Signals | 0, to: 'leader' | 'group'): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(to === 'group' ? -pid : pid, name)
  } catch {
    return false
  }
}
