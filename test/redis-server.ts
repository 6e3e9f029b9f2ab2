/** A Redis of a run's own, from the redis-server on the PATH, that keeps whatever it has acknowledged. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

/**
 * Starts it on a free port, or on `port`, with its files in `folder`; null when there is no redis-server on the PATH.
 * @param more further command-line arguments. @param password the one it is set to ask for, if any.
 */
export async function startRedisServer(
  folder: string,
  { port = 0, more = [], password = '' }: { port?: number; more?: string[]; password?: string } = {},
): Promise<RedisServer | null> {
  const own = port || (await probePort('127.0.0.1', 0))
  const place = ['--bind', '127.0.0.1', '--port', String(own), '--dir', folder, '--save', '']
  // Detached, so that a Ctrl-C in the terminal leaves it running until the tests have ended.
  const server = spawn('redis-server', [...place, ...durableRedis, ...more], {
    stdio: 'ignore',
    detached: true,
  })
  try {
    await once(server, 'spawn')
  } catch {
    return null
  }
  const ended = once(server, 'exit')
  const url = `redis://${password && `:${password}@`}127.0.0.1:${own}`
  await answers(url)
  const stop = (signal?: NodeJS.Signals) => {
    server.kill(signal)
    return ended
  }
  return { url, port: own, pid: server.pid!, signal: (signal) => server.kill(signal), stop }
}

async function answers(url: string): Promise<void> {
  const deadline = Date.now() + 60_000
  const client = new Redis(url, { retryStrategy: () => (Date.now() < deadline ? 20 : null) })
  client.on('error', () => {})
  await client.ping()
  client.disconnect()
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
