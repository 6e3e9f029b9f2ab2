/** A receiver of webhooks on this machine. It verifies each delivery, passes it on, and responds 204. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebhookHeaders, webhookFault } from './model.ts'

export type ReceivedWebhook = { messageId: string; body: string }

type Receiver = {
  url: string
  /** Null until the secret is known. Until then, the receiver refuses all deliveries. */
  secret: string | null
  close(): void
}

const host = '127.0.0.1'
const maxBodyBytes = 8 * 1024 * 1024

/**
 * Listens on a port, or on any free port if `port` is 0.
 * @param received resolves when the delivery may be acknowledged.
 * @param refused called with the reason when a delivery is refused.
 * @throws if the receiver cannot listen on the port.
 */
export async function openWebhookReceiver(
  port: number,
  received: (webhook: ReceivedWebhook) => Promise<void>,
  refused: (reason: string) => void,
): Promise<Receiver> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const receiver: Receiver = {
    url: '',
    secret: null,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return end(response, 405, 'Send webhooks by POST.')
    const body = await readBody(request)
    if (body === null) return end(response, 413, 'The body is too large.')
    const headers: WebhookHeaders = request.headers
    // The endpoint is made after the receiver starts. A 503 makes the worker try again.
    if (receiver.secret === null) return end(response, 503, 'The receiver is starting.')
    const fault = webhookFault(receiver.secret, { headers, body })
    if (fault !== null) {
      refused(fault)
      return end(response, 400, `The delivery is refused: ${fault}.`)
    }
    await received({ messageId: String(headers['webhook-id']), body })
    response.writeHead(204).end()
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  receiver.url = `http://${host}:${(server.address() as AddressInfo).port}/`
  return receiver
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBodyBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}
