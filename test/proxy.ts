/** A TCP proxy in front of a store, which tests cut, block, slow down and restore to simulate an outage. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'

/**
 * The URL of a database through a proxy. @param address the URL of the proxy. @param url that of the
 * database.
 */
export function throughProxy(address: string, url: string): string {
  const through = new URL(url)
  through.port = new URL(address).port
  return through.href
}

/** The side whose data does not arrive. */
export type Silenced = 'client' | 'store' | 'both'

/**
 * `url` reaches the store through the proxy. While the proxy is cut, connections are refused, and existing
 * ones end. While it is blocked, connections stay, and data from the silenced side arrives only after
 * restore().
 */
export type StoreProxy = {
  url: string
  cut(): Promise<void>
  /** Ends existing connections with a TCP reset (RST), as a failover does; new connections work. */
  reset(): void
  /**
   * Existing connections stay silent until restore(), as behind a firewall that lost its state; new
   * connections work.
   */
  freeze(): void
  block(silenced?: Silenced): void
  /** @param milliseconds the delay of each piece of data, called for each. */
  slow(milliseconds: () => number): void
  restore(): Promise<void>
  close(): void
}

/** A proxy that the test closes at its end. */
export async function proxyTo(t: Test, target: string): Promise<StoreProxy> {
  const proxy = await createProxy(target)
  t.teardown(proxy.close)
  return proxy
}

export async function createProxy(target: string): Promise<StoreProxy> {
  const { hostname, port } = new URL(target)
  const sockets: Record<'client' | 'store', Set<Socket>> = { client: new Set(), store: new Set() }
  let blocked: Silenced | null = null
  let latency: (() => number) | null = null
  const openSockets = (side: Silenced) =>
    side === 'both' ? [...sockets.client, ...sockets.store] : [...sockets[side]]
  const track = (socket: Socket, side: 'client' | 'store') => {
    sockets[side].add(socket)
    socket.on('error', () => {}).on('close', () => sockets[side].delete(socket))
    if (blocked === side || blocked === 'both') socket.pause()
  }
  const late = () =>
    new Transform({
      transform(data, _, pass) {
        if (latency) delay(latency()).then(() => pass(null, data))
        else pass(null, data)
      },
    })
  const server = createServer((client) => {
    const store = connect(Number(port), hostname)
    client.pipe(late()).pipe(store).pipe(late()).pipe(client)
    track(client, 'client')
    track(store, 'store')
    client.on('close', () => store.destroy())
    store.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(own)
  const freeze = (side: Silenced = 'both') => {
    for (const socket of openSockets(side)) socket.pause()
  }

  return {
    url: url.href,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of openSockets('both')) socket.destroy()
      await closed
    },
    reset() {
      for (const socket of openSockets('both')) socket.resetAndDestroy()
    },
    freeze: () => freeze(),
    block(silenced = 'both') {
      blocked = silenced
      freeze(silenced)
    },
    slow(milliseconds) {
      latency = milliseconds
    },
    async restore() {
      blocked = null
      latency = null
      for (const socket of openSockets('both')) socket.resume()
      if (server.listening) return
      server.listen(own, '127.0.0.1')
      await once(server, 'listening')
    },
    close() {
      for (const socket of openSockets('both')) socket.destroy()
      server.close()
    },
  }
}
