/**
 * The sockets of a sender. Their number is limited for each origin and in all. They stay open between
 * requests. When requests wait for sockets, their origins are served in turn.
 *
 * A later request for the same origin uses an open socket without a further check. That is safe: the socket
 * stays connected to the one address that was checked, and its certificate was verified for the host of the
 * origin. Later changes in the DNS have no effect, and the rules stay the same while the process lives.
 *
 * | state of a socket | from | to |
 * |---|---|---|
 * | in use | made, or taken when idle or released | idle (`release`), gone (`drop`) |
 * | idle | released while no request for its origin waits | in use, gone (closed by either side, or its place needed) |
 */
import type { Socket } from 'node:net'
import type { Client as HttpClient } from 'undici'
// The whole package, with its fetch, caches and proxies, would take four megabytes of each process.
import Client from 'undici/lib/dispatcher/client.js'
import { Fifo } from '../async/fifo.ts'
import type { ConnectOutgoing } from './connector.ts'
import { tooLargeFailure } from './failure.ts'

/**
 * Sends one request at a time, on one connection. Opens a new connection if the last connection was closed.
 */
export type OutgoingSocket = {
  readonly client: HttpClient
  /** The latest connection, as soon as it begins to connect; null before the first. */
  tcp: Socket | null
  /** The same connection once it is open; with TLS, a different object. */
  stream: Socket | null
  /**
   * The connection ends when it has read this many bytes. undici limits neither chunk extensions nor 1xx
   * responses.
   */
  maxBytesRead: number
  readonly origin: SocketsOfOrigin
}

type SocketsOfOrigin = {
  readonly name: string
  /** How many sockets are in use or idle. */
  open: number
  readonly idle: OutgoingSocket[]
  readonly waiting: Fifo<SocketTaker>
}

/** A request that needs a socket. `isDone` removes it from the queue. */
export type SocketTaker = { readonly isDone: boolean; wait(): void; start(socket: OutgoingSocket): void }

export type SocketsOptions = {
  perOrigin: number
  inAll: number
  connect: ConnectOutgoing
  firstByteTimeoutMs: number
  maxHeaderBytes: number
  /** The limit for one response as it is received: headers, body, and the bytes between their parts. */
  maxAnswerBytes: number
}

export type Sockets = ReturnType<typeof openSockets>

export function openSockets({
  perOrigin,
  inAll,
  connect,
  firstByteTimeoutMs,
  maxHeaderBytes,
  maxAnswerBytes,
}: SocketsOptions) {
  const origins = new Map<string, SocketsOfOrigin>()
  /** Origins with requests that wait, in the order of their turns. */
  const turns = new Set<SocketsOfOrigin>()
  /** The idle sockets of all origins, the longest idle first. */
  const idle = new Set<OutgoingSocket>()
  let open = 0

  /** Starts the taker now, or when a socket is free. */
  function take(name: string, taker: SocketTaker): void {
    let origin = origins.get(name)
    if (!origin) {
      origin = { name, open: 0, idle: [], waiting: new Fifo() }
      origins.set(name, origin)
    }
    const socket = origin.waiting.length === 0 ? obtain(origin) : null
    if (socket) start(taker, socket)
    else {
      origin.waiting.push(taker)
      turns.add(origin)
      taker.wait()
    }
  }

  function obtain(origin: SocketsOfOrigin): OutgoingSocket | null {
    const kept = origin.idle.pop()
    if (kept) {
      idle.delete(kept)
      return kept
    }
    if (origin.open >= perOrigin) return null
    if (open >= inAll) {
      const [oldest] = idle
      if (!oldest) return null
      end(oldest)
    }
    return make(origin)
  }

  function make(origin: SocketsOfOrigin): OutgoingSocket {
    const client = new Client(origin.name, {
      pipelining: 1,
      allowH2: false,
      headersTimeout: firstByteTimeoutMs,
      // The whole response has a timeout of its own.
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
      maxHeaderSize: maxHeaderBytes,
      connect: (target, callback) => {
        socket.tcp = connect(target, (...result) => {
          if (result[1]) boundBytes(socket, result[1])
          callback(...result)
        })
      },
    })
    const socket: OutgoingSocket = { client, tcp: null, stream: null, maxBytesRead: 0, origin }
    client.on('disconnect', () => {
      if (idle.has(socket)) drop(socket)
    })
    open++
    origin.open++
    return socket
  }

  /** Keeps a socket whose request has its complete response. */
  function release(socket: OutgoingSocket): void {
    socket.origin.idle.push(socket)
    idle.add(socket)
    if (turns.size > 0) serve()
  }

  /** Closes a socket, idle or in use. */
  function drop(socket: OutgoingSocket): void {
    end(socket)
    if (turns.size > 0) serve()
  }

  function end(socket: OutgoingSocket): void {
    const { origin, client, tcp } = socket
    if (idle.delete(socket)) origin.idle.splice(origin.idle.indexOf(socket), 1)
    open--
    origin.open--
    if (origin.open === 0 && origin.waiting.length === 0) origins.delete(origin.name)
    // destroy() of the client does not end a connection that is still being opened, so the socket is destroyed too.
    void client.destroy()
    tcp?.destroy()
  }

  /** Gives one socket to each origin that waits, in turn, while there are sockets. */
  function serve(): void {
    for (const origin of turns) {
      while (origin.waiting.first()?.isDone) origin.waiting.shift()
      const socket = origin.waiting.length > 0 ? obtain(origin) : null
      const taker = socket && origin.waiting.shift()
      if (taker || origin.waiting.length === 0) turns.delete(origin)
      // The origin moves to the end of the turns, where this loop visits it again.
      if (taker && origin.waiting.length > 0) turns.add(origin)
      if (origin.open === 0 && origin.waiting.length === 0) origins.delete(origin.name)
      if (taker) start(taker, socket)
    }
  }

  function start(taker: SocketTaker, socket: OutgoingSocket): void {
    if (socket.stream) socket.maxBytesRead = socket.stream.bytesRead + maxAnswerBytes
    taker.start(socket)
  }

  function boundBytes(socket: OutgoingSocket, stream: Socket): void {
    socket.stream = stream
    socket.maxBytesRead = stream.bytesRead + maxAnswerBytes
    // Listens before undici does, so that undici reads nothing past the limit.
    stream.on('readable', () => {
      if (stream.bytesRead > socket.maxBytesRead) stream.destroy(tooLargeFailure())
    })
  }

  function close(): void {
    for (const socket of idle) drop(socket)
  }

  return { take, release, drop, close }
}
