/** TCP ports of this machine. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * Checks that `port` of an address can be listened on now; 0 is any port.
 * @returns the port.
 * @throws the error of listening, such as EADDRINUSE for a port in use.
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
