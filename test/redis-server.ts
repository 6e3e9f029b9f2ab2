/** A Redis of a run's own, from the redis-server on the PATH, that keeps whatever it has acknowledged. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { probePort } from '../src/platform/ports.ts'

export type RedisServer = { url: string; stop: () => Promise<unknown> }

/** What makes a Redis durable enough to keep the queues, as command-line arguments. */
export const durableRedis = [
  ...['--appendonly', 'yes'],
  ...['--appendfsync', 'always'],
  ...['--maxmemory-policy', 'noeviction'],
]

/** Starts it on a free port with its files in `folder`; null when there is no redis-server on the PATH. */
export async function startRedisServer(folder: string): Promise<RedisServer | null> {
  const port = await probePort('127.0.0.1', 0)
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '']
  // Detached, so that a Ctrl-C in the terminal leaves it running until the tests have ended.
  const server = spawn('redis-server', [...place, ...durableRedis], { stdio: 'ignore', detached: true })
  try {
    await once(server, 'spawn')
  } catch {
    return null
  }
  const ended = once(server, 'exit')
  const url = `redis://127.0.0.1:${port}`
  await answers(url)
  const stop = () => {
    server.kill()
    return ended
  }
  return { url, stop }
}

async function answers(url: string): Promise<void> {
  const deadline = Date.now() + 10_000
  const client = new Redis(url, { retryStrategy: () => (Date.now() < deadline ? 20 : null) })
  client.on('error', () => {})
  await client.ping()
  client.disconnect()
}
