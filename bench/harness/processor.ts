/** Processor time from /proc: of the machine, and of processes together with their children. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks. `endedChildren` has the time of children for which their parent has already waited. */
export type ProcessTicks = { parent: number; own: number; endedChildren: number }

/** Clock ticks of all processors together since the machine started. */
export type MachineTicks = { busy: number; idle: number; stolen: number; total: number }

/** Names of parts, such as `web`, each with its process IDs. */
export type Pids = Record<string, number[]>

const maxLooks = 50
let ticksPerSecond: number | undefined

/**
 * Reads the first line of /proc/stat. `busy` does not include interrupts, most of which the benchmark's own
 * load causes.
 */
export function parseMachine(text: string): MachineTicks {
  const line = text.split('\n', 1)[0]!
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softIrq = 0, stolen = 0] = line
    .split(/ +/)
    .slice(1)
    .map(Number)
  const busy = user + nice + system
  return { busy, idle: idle + waiting, stolen, total: busy + idle + waiting + irq + softIrq + stolen }
}

/** Reads /proc/PID/stat. The program's name, in parentheses, may contain spaces and parentheses. */
export function parseProcess(text: string): ProcessTicks {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return { parent: Number(fields[1]), own: user + system, endedChildren: endedUser + endedSystem }
}

/** The processes and all their descendants. */
export function familyOf(pids: readonly number[], processes: ReadonlyMap<number, ProcessTicks>): number[] {
  const family = new Set(pids)
  for (const member of family)
    for (const [pid, { parent }] of processes) if (parent === member) family.add(pid)
  return [...family]
}

/** null where the system has no /proc. */
export function readMachine(): MachineTicks | null {
  try {
    return parseMachine(readFileSync('/proc/stat', 'utf8'))
  } catch {
    return null
  }
}

/**
 * Ticks of the processes and their descendants. A child that ends between two reads would be counted twice or
 * not at all, so everything is read again until the family does not change.
 */
export function readFamily(pids: readonly number[]): number {
  for (let looks = 1; ; looks++) {
    const family = familyOf(pids, readProcesses())
    const processes = readProcesses()
    if (looks < maxLooks && familyOf(pids, processes).join() !== family.join()) continue
    return family.reduce((sum, pid) => {
      const { own, endedChildren } = processes.get(pid) ?? { own: 0, endedChildren: 0 }
      return sum + own + endedChildren
    }, 0)
  }
}

/** Milliseconds of processor time of each part so far; null where the system has no /proc. */
export function readParts(pids: Pids): Record<string, number> | null {
  if (!readMachine()) return null
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK']).toString())
  const toMs = 1000 / ticksPerSecond
  return Object.fromEntries(Object.entries(pids).map(([part, pids]) => [part, readFamily(pids) * toMs]))
}

function readProcesses(): Map<number, ProcessTicks> {
  const processes = new Map<number, ProcessTicks>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      processes.set(Number(entry), parseProcess(readFileSync(`/proc/${entry}/stat`, 'utf8')))
    } catch {
      // It has ended meanwhile.
    }
  }
  return processes
}
