/** Receivers on this machine: HTTP servers, and servers that write the bytes of a test. */
import { createServer, type RequestListener, type Server } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import type { Test } from 'tap'

/** The rules of tests: this machine is allowed, with http. */
export const localRules = { privateNetworks: ['127.0.0.1'], allowHttp: true }

/** @returns the port of an HTTP server that ends with the test. */
export async function receive(t: Test, answer: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(answer)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: await listen(server), server }
}

/** @returns the URL of a server that calls a function for each connection. */
export async function receiveBytes(t: Test, onConnection: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>()
  const server = createTcpServer((socket) => {
    open.add(socket.on('error', () => undefined))
    onConnection(socket)
  })
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${await listen(server)}/hook`
}

export async function listen(server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Checks that a post fails with a matching error. */
export async function fails(
  t: Test,
  post: Promise<unknown>,
  expected: object,
  name = 'fails',
): Promise<void> {
  const result = await post.then(
    () => 'no failure',
    (error: unknown) => error,
  )
  t.match(result, expected, name)
}
