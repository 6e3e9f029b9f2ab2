/**
 * Sends one request and receives its response, within limits of time and size. Keeps only an excerpt of the response.
 */
import type { Dispatcher } from 'undici'
import { OutgoingFailure, timeoutFailure, tooLargeFailure } from './failure.ts'
import type { OutgoingSocket, Sockets, SocketTaker } from './sockets.ts'

export type OutgoingResponse = {
  status: number
  /** The first KiB of the body as text that PostgreSQL can store; at most 1,024 characters. */
  excerpt: string
  /**
   * The seconds to wait according to Retry-After; null if the header is missing, not valid, or a date in the
   * past.
   */
  retryAfterSeconds: number | null
}

export type OutgoingRequest = Dispatcher.DispatchOptions
/** Called once. */
export type OnAnswered = (
  ...result: [error: Error, answer: null] | [error: null, answer: OutgoingResponse]
) => void
export type ExchangeBounds = {
  /** The longest wait for a free socket. */
  waitTimeoutMs: number
  firstByteTimeoutMs: number
  /** From getting the socket to the end of the response, including the time to connect. */
  answerTimeoutMs: number
  maxBodyBytes: number
}

const excerptBytes = 1_024
type AnswerHeaders = Record<string, string | string[] | undefined>

/** A class, because one is made for each request: closures would cost several times as much. */
export class Exchange implements SocketTaker, Dispatcher.DispatchHandler {
  isDone = false
  private socket: OutgoingSocket | null = null
  private status = 0
  private retryAfter: string | string[] | undefined
  private bodyBytes = 0
  private first: Buffer[] = []
  private readonly request: OutgoingRequest
  private readonly bounds: ExchangeBounds
  private readonly sockets: Sockets
  private readonly onDone: OnAnswered
  private timer: NodeJS.Timeout | undefined

  constructor(request: OutgoingRequest, bounds: ExchangeBounds, sockets: Sockets, onDone: OnAnswered) {
    this.request = request
    this.bounds = bounds
    this.sockets = sockets
    this.onDone = onDone
  }

  wait(): void {
    this.timer = setTimeout(
      () => this.fail(new OutgoingFailure('busy', 'Nothing was sent: too many requests were under way.')),
      this.bounds.waitTimeoutMs,
    )
  }

  start(socket: OutgoingSocket): void {
    this.socket = socket
    const { answerTimeoutMs } = this.bounds
    clearTimeout(this.timer)
    this.timer = setTimeout(
      () => this.fail(timeoutFailure('did not answer', answerTimeoutMs)),
      answerTimeoutMs,
    )
    socket.client.dispatch(this.request, this)
  }

  // Without this method, undici treats the handler as one of its old interface.
  onRequestStart(): void {}

  onResponseStart(_: unknown, status: number, headers: AnswerHeaders): void {
    if (status < 200) return
    this.status = status
    this.retryAfter = headers['retry-after']
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.bodyBytes < excerptBytes) this.first.push(chunk.subarray(0, excerptBytes - this.bodyBytes))
    this.bodyBytes += chunk.length
    // The receiver has responded, so the outcome is its status. The rest of the body is not read.
    if (this.bodyBytes > this.bounds.maxBodyBytes) this.answer(false)
  }

  onResponseEnd(): void {
    this.answer(true)
  }

  onResponseError(_: unknown, error: Error): void {
    const failure = this.failureOf(error)
    const isTooLarge = failure instanceof OutgoingFailure && failure.reason === 'too-large'
    if (isTooLarge && this.status > 0) this.answer(false)
    else this.fail(failure)
  }

  private answer(isWhole: boolean): void {
    if (!this.finish(isWhole)) return
    const { status, first } = this
    this.onDone(null, {
      status,
      excerpt: first.length === 0 ? '' : excerptOf(first),
      retryAfterSeconds: this.retryAfter === undefined ? null : secondsOf(this.retryAfter),
    })
  }

  private fail(error: Error): void {
    if (this.finish(false)) this.onDone(error, null)
  }

  private finish(canKeepSocket: boolean): boolean {
    if (this.isDone) return false
    this.isDone = true
    clearTimeout(this.timer)
    if (!this.socket) return true
    if (canKeepSocket) this.sockets.release(this.socket)
    else this.sockets.drop(this.socket)
    return true
  }

  private failureOf(error: NodeJS.ErrnoException): Error {
    if (error instanceof OutgoingFailure) return error
    switch (error.code) {
      case 'UND_ERR_INVALID_ARG':
        return error
      case 'UND_ERR_HEADERS_TIMEOUT':
        return timeoutFailure('did not begin to answer', this.bounds.firstByteTimeoutMs)
      case 'UND_ERR_HEADERS_OVERFLOW':
        return tooLargeFailure()
      default:
        return error.name === 'HTTPParserError'
          ? new OutgoingFailure('cut', 'The response is not HTTP/1.1.')
          : new OutgoingFailure('cut', 'The connection ended before the whole response had arrived.')
    }
  }
}

/** Removes what PostgreSQL cannot store: NUL is left out, and incomplete or invalid UTF-8 becomes U+FFFD. */
function excerptOf(first: Buffer[]): string {
  const bytes = first.length === 1 ? first[0]! : Buffer.concat(first)
  return bytes.toString('utf8').replaceAll('\0', '')
}

/** An HTTP date in its current form (RFC 9110). The two obsolete forms are not read. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function secondsOf(header: string | string[]): number | null {
  if (Array.isArray(header)) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const seconds = httpDate.test(text) ? Math.ceil((Date.parse(text) - Date.now()) / 1_000) : Number.NaN
  return seconds > 0 ? seconds : null
}
