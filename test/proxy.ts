/** A TCP proxy in front of a store, which a test cuts, blocks and mends to make an outage. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** The database `url`, reached by way of a proxy at `address`. */
export function by(address: string, url: string): string {
  const through = new URL(url)
  through.port = new URL(address).port
  return through.href
}

/**
 * `url` reaches the store through the proxy. While cut, connections are refused and those that were are gone;
 * while blocked, they stand and nothing passes.
 */
export async function proxyTo(t: Test, target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let blocked = false
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    const store = connect(Number(port), hostname)
    for (const socket of [client, store]) track(socket)
    client.pipe(store).pipe(client)
    if (blocked) for (const socket of [client, store]) socket.pause()
    client.on('close', () => store.destroy())
    store.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(own)
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const block = () => {
    blocked = true
    freeze()
  }
  // What stands now stays silent for good, as behind a firewall that forgot it; new connections work.
  const freeze = () => {
    for (const socket of sockets) socket.pause()
  }
  const restore = async () => {
    blocked = false
    for (const socket of sockets) socket.resume()
    if (server.listening) return
    server.listen(own, '127.0.0.1')
    await once(server, 'listening')
  }
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: url.href, cut, freeze, block, restore }
}
