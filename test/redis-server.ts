/** A Redis from the redis-server on the PATH, which writes each change to its disk before it acknowledges it. */
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

/** The settings that make a Redis durable enough for the queues, as command-line arguments. */
export const durableRedis = [
  ...['--appendonly', 'yes'],
  ...['--appendfsync', 'always'],
  ...['--maxmemory-policy', 'noeviction'],
]

type RedisSettings = {
  port?: number
  /** Further command-line arguments. */
  more?: string[]
  /** The password that clients need, if any. */
  password?: string
}

/**
 * Starts a Redis on a free port, or on `port`, with its files in `folder`; null without redis-server on the
 * PATH.
 * @throws when the server cannot be started on `port`, or on any of five free ports.
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
    if (await isThisServer(url, server, folder)) {
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
  // Detached, so that it keeps running after a Ctrl-C in the terminal until the tests have ended.
  const server = spawn('redis-server', [...place, ...durableRedis, ...more], {
    stdio: 'ignore',
    detached: true,
  })
  return once(server, 'spawn').then(
    () => server,
    () => null,
  )
}

/** Returns true once this server responds; false if it exits first, or if another server has its port. */
async function isThisServer(url: string, server: ChildProcess, folder: string): Promise<boolean> {
  // The attempts need no limit, because the exit of the server also ends the wait.
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

/** Whether a Redis responds now. */
export async function respondsToPing(url: string): Promise<boolean> {
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
