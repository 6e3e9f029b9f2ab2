/** TCP ports of this machine. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * Finds out whether `port` (0: any) of an address can be listened on now.
 * @returns the port. @throws as listening does, EADDRINUSE for a port that is taken.
 */
export async function probePort(host: string, port: number): Promise<number> {
  const server = createServer()
  server.listen({ host, port, exclusive: true })
  await once(server, 'listening')
  const found = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return found.port
}
