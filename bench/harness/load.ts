/**
 * Load over HTTP, made by wrk: many connections, each of which sends its next request when it gets a
 * response. It ends when every request has a response, so that its counts can be compared with the tables.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { projectPath } from '../../src/platform/project/paths.ts'

export type LoadRequest = { method: 'GET' | 'POST'; path: string; token: string; body?: unknown }
export type Load = {
  /** Base URLs. The connections are distributed evenly, and there must be at least one for each. */
  targets: string[]
  /** Sent in random order, repeatedly. */
  requests: LoadRequest[]
  connections: number
  /** How long requests are sent; may be a fraction. */
  seconds: number
  /** Gives each request its own Idempotency-Key. */
  unique?: boolean
  /** Clients honour `Retry-After`; otherwise they retry at once. */
  honoursRetryAfter?: boolean
  /** Counts responses by status, which costs wrk some time for each. */
  countStatuses?: boolean
}
export type Figures = {
  /** Responses below 400 a second, while requests were sent. */
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Responses below 400. */
  accepted: number
  /** Responses of 400 and more. */
  refused: number
  /** Requests without a response: abandoned after half a minute, or their connection broke. */
  unanswered: number
  statuses: Record<string, number>
}

type Counted = {
  sent: number
  answered: number
  refused: number
  broken: number
  p50: number
  p99: number
  statuses: Record<string, number>
}

/**
 * The connections and the length of a warm-up. V8 compiles the code of a process during its first seconds under
 * load.
 */
export const warmUp = { connections: 64, seconds: 4 }

const graceSeconds = 30
let runs = 0

/** @throws when wrk does not run. */
export async function runLoad({
  targets,
  requests,
  connections,
  seconds,
  ...options
}: Load): Promise<Figures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-load-'))
  try {
    const file = path.join(folder, 'requests')
    await writeFile(file, requests.map(writeRequest).join('\n'))
    const share = Math.floor(connections / targets.length)
    const counted = await wrk(targets, share, {
      BENCH_TARGETS: targets.map((target) => new URL(target).host).join(' '),
      BENCH_SECONDS: String(seconds),
      BENCH_SHARE: String(share),
      BENCH_UNIQUE: options.unique ? `${process.pid}-${++runs}` : '',
      BENCH_PATIENT: options.honoursRetryAfter ? '1' : '0',
      BENCH_STATUSES: options.countStatuses ? '1' : '0',
      BENCH_REQUESTS: file,
    })
    return figuresOf(counted, share * targets.length, seconds)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * At the end of the time, each connection waits for one response. Later responses are not part of the rate.
 */
function figuresOf(counted: Counted, connections: number, seconds: number): Figures {
  const { sent, answered, refused, p50, p99, statuses } = counted
  const inTime = Math.max(0, sent - connections)
  const accepted = answered - refused
  const perSecond = answered === 0 ? 0 : (inTime / seconds) * (accepted / answered)
  return { perSecond, p50, p99, accepted, refused, unanswered: sent - answered, statuses }
}

function writeRequest({ method, path, token, body }: LoadRequest): string {
  return [method, path, token, body === undefined ? '' : JSON.stringify(body)].join('\t')
}

async function wrk(targets: string[], share: number, environment: Record<string, string>): Promise<Counted> {
  const threads = targets.length
  const duration = Math.ceil(Number(environment.BENCH_SECONDS)) + graceSeconds
  const script = projectPath('bench', 'harness', 'load.lua')
  const args = [
    `-t${threads}`,
    `-c${threads * share}`,
    `-d${duration}`,
    '--timeout',
    '20s',
    '-s',
    script,
    targets[0]!,
  ]
  const child = spawn('wrk', args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let [output, complaints] = ['', '']
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    complaints += text
    // wrk ends early only after a signal.
    if (complaints.split('drained\n').length > threads) child.kill('SIGINT')
  })
  await closed
  const line = /^BENCH (.*)$/m.exec(output)?.[1]
  if (!line) throw new Error(`wrk: ${complaints || output}`)
  return JSON.parse(line) as Counted
}
