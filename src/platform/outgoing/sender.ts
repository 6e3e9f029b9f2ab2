/**
 * The only code that calls an address that a user chose. It does not follow redirects, does not retry, and
 * reads no proxy settings from the environment.
 */
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { type OutgoingRules, urlFault } from './address-rules.ts'
import { createConnector } from './connector.ts'
import { Exchange, type ExchangeBounds, type OutgoingResponse } from './exchange.ts'
import { OutgoingFailure } from './failure.ts'
import { openNames, type ResolveName } from './names.ts'
import { openSockets } from './sockets.ts'

export type { OutgoingResponse, OutgoingRules }
export { OutgoingFailure }

export type Sender = {
  /**
   * POSTs a body. Waits up to 5 s for a free socket, and then up to 15 s for the whole response.
   * @returns the response, with any status. If its body is too large, the rest of the body is not read.
   * @throws OutgoingFailure for all other incomplete responses; the receiver may have got the request.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<OutgoingResponse>
  /** Accepts no more requests, waits for those under way, and closes all connections. */
  close(): Promise<void>
}

export type SenderOptions = Partial<ExchangeBounds> & {
  connectTimeoutMs?: number
  /** The most sockets for each origin: scheme, host and port. */
  socketsPerOrigin?: number
  /** The most sockets of all origins together. */
  sockets?: number
  maxHeaderBytes?: number
  /** Certificate authorities in PEM that replace those of Node. */
  ca?: string
  /** Looks up names, in place of the DNS. */
  lookup?: ResolveName
  /** Makes TCP sockets, in place of Node. */
  dial?: (options: TcpNetConnectOpts) => Socket
}

export function openSender(rules: OutgoingRules, options: SenderOptions = {}): Sender {
  const bounds: ExchangeBounds = {
    waitTimeoutMs: options.waitTimeoutMs ?? 5_000,
    firstByteTimeoutMs: options.firstByteTimeoutMs ?? 10_000,
    answerTimeoutMs: options.answerTimeoutMs ?? 15_000,
    maxBodyBytes: options.maxBodyBytes ?? 64 * 1024,
  }
  const sockets = openSockets({
    perOrigin: options.socketsPerOrigin ?? 16,
    inAll: options.sockets ?? 512,
    firstByteTimeoutMs: bounds.firstByteTimeoutMs,
    maxHeaderBytes: options.maxHeaderBytes ?? 16 * 1024,
    // A body in chunks of one byte takes six times its bytes.
    maxAnswerBytes: 16 * bounds.maxBodyBytes,
    connect: createConnector(rules, {
      connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
      // Names in the hosts file lead to private networks.
      resolve: options.lookup ?? openNames({ usesHosts: rules.privateNetworks.length > 0 }),
      ca: options.ca,
      dial: options.dial,
    }),
  })
  let underWay = 0
  let isClosed = false
  let onIdle: (() => void) | null = null

  return {
    post(url, headers, body) {
      if (isClosed)
        return Promise.reject(new OutgoingFailure('busy', 'Nothing was sent: the service is stopping.'))
      const fault = urlFault(url, rules)
      if (fault) return Promise.reject(new OutgoingFailure('address', `The URL ${fault}.`))
      const { origin, pathname, search } = new URL(url)
      const request = { method: 'POST', path: pathname + search, headers, body }
      return new Promise((resolve, reject) => {
        underWay++
        const exchange = new Exchange(request, bounds, sockets, (error, answer) => {
          underWay--
          if (error) reject(error)
          else resolve(answer)
          if (underWay === 0) onIdle?.()
        })
        sockets.take(origin, exchange)
      })
    },

    async close() {
      isClosed = true
      if (underWay > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve
        })
      sockets.close()
    },
  }
}
