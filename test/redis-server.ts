/** A Redis of a run's own, from the redis-server on the PATH, that keeps whatever it has acknowledged. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { probePort } from '../src/platform/embedded/ports.ts'

export type RedisServer = {
  url: string
  port: number
  pid: number
  signal: (signal: NodeJS.Signals) => void
  stop: (signal?: NodeJS.Signals) => Promise<unknown>
}

/** What makes a Redis durable enough to keep the queues, as command-line arguments. */
export const durableRedis = [
  ...['--appendonly', 'yes'],
  ...['--appendfsync', 'always'],
  ...['--maxmemory-policy', 'noeviction'],
]

type RedisSettings = {
  port?: number
  /** Further command-line arguments. */
  more?: string[]
  /** The password that it is set to ask for, if any. */
  password?: string
}

/**
 * Starts it on a free port, or on `port`, with its files in `folder`; null when there is no redis-server on the PATH.
 * @throws when it ends before it answers.
 */
export async function startRedisServer(
  folder: string,
  { port = 0, more = [], password = '' }: RedisSettings = {},
): Promise<RedisServer | null> {
  for (let triesLeft = port ? 1 : 5; ; triesLeft--) {
    const own = port || (await probePort('127.0.0.1', 0))
    const server = await launch(folder, own, more)
    if (!server) return null
    const ended = once(server, 'exit')
    const url = `redis://${password && `:${password}@`}127.0.0.1:${own}`
    if (await answers(url, server, folder)) {
      const stop = (signal?: NodeJS.Signals) => {
        server.kill(signal)
        return ended
      }
      return { url, port: own, pid: server.pid!, signal: (signal) => server.kill(signal), stop }
    }
    server.kill('SIGKILL')
    await ended
    // Another process may have taken the free port.
    if (triesLeft === 1) throw new Error(`redis-server does not start on port ${own}`)
  }
}

async function launch(folder: string, port: number, more: string[]): Promise<ChildProcess | null> {
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '']
  // Detached, so that a Ctrl-C in the terminal leaves it running until the tests have ended.
  const server = spawn('redis-server', [...place, ...durableRedis, ...more], {
    stdio: 'ignore',
    detached: true,
  })
  return once(server, 'spawn').then(
    () => server,
    () => null,
  )
}

/** Waits until this very server answers; false when it ends before, or another one has its port. */
async function answers(url: string, server: ChildProcess, folder: string): Promise<boolean> {
  // However long it takes to start on a busy machine: its end is seen.
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  const waiting = new AbortController()
  const ended = once(server, 'exit', waiting).catch(() => {})
  try {
    const answer = await Promise.race([client.config('GET', 'dir'), ended])
    return Array.isArray(answer) && answer[1] === (await realpath(folder))
  } finally {
    waiting.abort()
    client.disconnect()
  }
}

/** Whether a Redis answers just now. */
export async function answersPing(url: string): Promise<boolean> {
  const client = new Redis(url, { retryStrategy: () => null, connectTimeout: 1000, commandTimeout: 1000 })
  client.on('error', () => {})
  try {
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}
