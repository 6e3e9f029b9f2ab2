/** A real SMTP server on loopback, which a test can make refuse, wait, or drop the connection. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server'
import type { Test } from 'tap'

export type Received = { to: string; from: string; raw: string; mail: Email; secure: boolean; user: unknown }

export type Behaviour = {
  /** Called for each recipient. If it throws, the server refuses the recipient. */
  onRecipient?: (address: string) => unknown
  /** Called with the whole message before the server accepts it. If it throws, the server refuses the message. */
  onMessage?: (raw: string, server: SMTPServer) => unknown
  /** Called when a message begins to come in, with a function that ends its connection. */
  onData?: (drop: () => void) => unknown
  options?: SMTPServerOptions
  scheme?: 'smtp' | 'smtps'
}

/** An error that makes the server reply with this status. */
export function refusal(responseCode: number, message = 'refused'): Error {
  return Object.assign(new Error(message), { responseCode })
}

export async function startSmtp(t: Test, behaviour: Behaviour = {}) {
  const received: Received[] = []
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    logger: false,
    onRcptTo: (address, _session, done) => answer(() => behaviour.onRecipient?.(address.address), done),
    onData(stream, session, done) {
      const [socket] = [...server.connections].filter(
        (connection) => (connection as unknown as { id: string }).id === session.id,
      ) as unknown as { _socket: { destroy(): void } }[]
      behaviour.onData?.(() => socket!._socket.destroy())
      answer(async () => {
        const raw = await read(stream)
        await behaviour.onMessage?.(raw, server)
        const { rcptTo, mailFrom } = session.envelope
        received.push({
          raw,
          to: rcptTo.map(({ address }) => address).join(),
          from: mailFrom ? mailFrom.address : '',
          mail: await PostalMime.parse(raw),
          secure: session.secure,
          user: session.user,
        })
      }, done)
    },
    ...behaviour.options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { server, received, behaviour, url: `${behaviour.scheme ?? 'smtp'}://127.0.0.1:${port}` }
}

async function answer(work: () => unknown, done: (error?: Error | null) => void): Promise<void> {
  try {
    await work()
    done()
  } catch (error) {
    done(error as Error)
  }
}

async function read(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
