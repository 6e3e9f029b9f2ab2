/**
 * Opens connections to addresses that users chose. Only this module decides whether a socket may be used.
 *
 * 1. A literal address is checked before a socket is made, because Node calls `lookup` only for names.
 * 2. All addresses of a name are checked. The socket connects to one of them, without a second look-up.
 * 3. Both ends of the connection are checked once it is open, before anything is sent: with TLS, the first
 * message already contains the host name.
 * 4. TLS verifies the certificate for the host of the URL.
 */
import {
  connect as connectTcp,
  isIP,
  type LookupFunction,
  type Socket,
  type TcpNetConnectOpts,
} from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isAllowedAddress, isAllowedConnection, type OutgoingRules } from './address-rules.ts'
import {
  addressFailure,
  connectFailure,
  nameFailure,
  OutgoingFailure,
  timeoutFailure,
  tlsFailure,
} from './failure.ts'
import type { ResolveName } from './names.ts'

export type ConnectTarget = { hostname: string; port: string; protocol: string }
/** Called once, with a socket that is ready for HTTP, or with the failure. */
export type OnConnected = (
  ...result: [error: OutgoingFailure, socket: null] | [error: null, socket: Socket]
) => void
/**
 * @returns the socket as soon as it is made, so that the caller can destroy it while it connects; null if the
 * address is refused.
 */
export type ConnectOutgoing = (target: ConnectTarget, onConnected: OnConnected) => Socket | null

export type ConnectorOptions = {
  connectTimeoutMs: number
  resolve: ResolveName
  /** Certificate authorities in PEM that replace those of Node. */
  ca?: string
  /** Makes the TCP socket. */
  dial?: (options: TcpNetConnectOpts) => Socket
}

/** The most addresses of one name that are tried. */
const maxAddresses = 8

export function createConnector(
  rules: OutgoingRules,
  { connectTimeoutMs, resolve, ca, dial = connectTcp }: ConnectorOptions,
): ConnectOutgoing {
  const lookup = createLookup(rules, resolve)

  return ({ hostname, port, protocol }, onConnected) => {
    if (isIP(hostname) && !isAllowedAddress(hostname, rules)) {
      queueMicrotask(() => onConnected(addressFailure(), null))
      return null
    }
    const isSecure = protocol === 'https:'
    const tcp = dial({ host: hostname, port: Number(port) || (isSecure ? 443 : 80), lookup, noDelay: true })
    let isDone = false
    const finish = (failure: OutgoingFailure | null, socket: Socket) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      if (failure === null) return onConnected(null, socket)
      tcp.destroy()
      onConnected(failure, null)
    }
    const timer = setTimeout(
      () => finish(timeoutFailure('did not accept a connection', connectTimeoutMs), tcp),
      connectTimeoutMs,
    )

    tcp.on('error', (error) => finish(failureOf(error), tcp))
    tcp.on('close', () => finish(connectFailure('ECONNRESET'), tcp))
    tcp.on('connect', () => {
      const { localAddress = '', remoteAddress = '' } = tcp
      if (!isAllowedConnection(localAddress, remoteAddress, rules)) return finish(addressFailure(), tcp)
      if (!isSecure) return finish(null, tcp)
      // SNI must not contain an IP address. TLS then checks the certificate against `host`.
      const servername = isIP(hostname) ? '' : hostname.replace(/\.$/, '')
      const ALPNProtocols = ['http/1.1']
      const secure = connectTls({
        socket: tcp,
        host: hostname,
        servername,
        ALPNProtocols,
        ca,
        rejectUnauthorized: true,
      })
      secure.on('error', (error: NodeJS.ErrnoException) => finish(tlsFailure(error.code), secure))
      secure.on('close', () => finish(tlsFailure(undefined), secure))
      secure.on('secureConnect', () => finish(null, secure))
    })
    return tcp
  }
}

function failureOf(error: NodeJS.ErrnoException): OutgoingFailure {
  return error instanceof OutgoingFailure ? error : connectFailure(error.code)
}

/**
 * The look-up of a socket. One forbidden address refuses the whole name: there is no good reason to mix
 * private with public addresses, and a socket may take any of them.
 */
function createLookup(rules: OutgoingRules, resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (addresses.length === 0 || !addresses.every((address) => isAllowedAddress(address, rules)))
          return callback(nameFailure(), [])
        const found = addresses.slice(0, maxAddresses).map((address) => ({ address, family: isIP(address) }))
        if (options.all) callback(null, found)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      () => callback(nameFailure(), []),
    )
  }
}
