/** Finds the port of the web process before anything starts. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../platform/config/config.ts'
import { probePort } from '../platform/embedded/ports.ts'

/**
 * The port of the configuration, or a free one if it is 0. If the port is in use, waits for it for
 * SHUTDOWN_TIMEOUT_SECONDS and 2 seconds more: after `npm start` was killed, its web process may still be
 * stopping.
 * @throws Error, in one line, if the port stays in use or cannot be listened on; AbortError if `requested`
 * aborts meanwhile.
 */
export async function awaitPort(
  config: Config,
  say: (line: string) => void,
  requested: AbortSignal,
): Promise<number> {
  const { HOST, PORT, SHUTDOWN_TIMEOUT_SECONDS } = config
  const deadline = Date.now() + (SHUTDOWN_TIMEOUT_SECONDS + 2) * 1000
  const taken = `port ${PORT} of ${HOST} is in use`
  for (let tries = 0; ; tries++) {
    const found = await probePort(HOST, PORT).catch((error: NodeJS.ErrnoException) => error)
    if (typeof found === 'number') return found
    if (found.code !== 'EADDRINUSE') throw new Error(`web cannot listen: ${found.message}`)
    if (Date.now() > deadline) throw new Error(`${taken}; set another PORT`)
    if (tries === 5) say(`${taken}; waiting a little for it to become free`)
    await delay(200, undefined, { signal: requested })
  }
}

/** The URL that this machine uses for a server on `host`. */
export function localUrl(host: string, port: number): string {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
