/**
 * Measures the processor time of each test file, including its child processes, and reports it at the end.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The time of one test, or of a process before its first test (`file` is then empty). */
type Spent = { file: string; ms: number }

/**
 * Returns a function that appends a line to the file at `path`: the test file that is its argument, and the
 * time since its last call.
 */
export function createProcessorClock(path: string): (file: string) => void {
  let before = 0
  return (file) => {
    const now = processorMs()
    appendFileSync(path, `${JSON.stringify({ file, ms: now - before } satisfies Spent)}\n`)
    before = now
  }
}

// Linux counts in hundredths of a second here.
const tickMs = 10

/** The time of this process so far; on Linux also of its ended children. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1000
  try {
    // The fields after the name, which is in parentheses and may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ')
    return own + tickMs * (Number(fields[13]) + Number(fields[14]))
  } catch {
    return own
  }
}

/** A line with the sum, and one for each of the `most` slowest files; empty if nothing was measured. */
export async function slowestFiles(path: string, most = 10): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const spent = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Spent)
  if (spent.length === 0) return []
  const msOf = new Map<string, number>()
  for (const { file, ms } of spent) msOf.set(file, (msOf.get(file) ?? 0) + ms)
  const sum = spent.reduce((total, { ms }) => total + ms, 0)
  const loading = msOf.get('') ?? 0
  msOf.delete('')
  const slowest = [...msOf].sort(([, one], [, other]) => other - one).slice(0, most)
  return [
    `Processor time of the tests without their stores: ${seconds(sum)} s, of which ${seconds(loading)} s to load. The slowest files:`,
    ...slowest.map(([file, ms]) => `${seconds(ms).padStart(8)} s  ${file}`),
  ]
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
