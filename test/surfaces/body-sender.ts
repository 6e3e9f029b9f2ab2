/** Requests that are sent in parts, over connections of their own. */
import { connect } from 'node:net'
import type { Test } from 'tap'

export const mebibyte = 1024 * 1024
export const batchPath = '/api/v2/usage/meters/batch'

export type Sending = {
  path?: string
  method?: string
  bytes?: number | 'unknown'
  token?: string
  more?: string
}

/** The head of a request, with the length of its body. */
export function head({
  path = batchPath,
  method = 'POST',
  bytes = 10 * mebibyte,
  token,
  more = '',
}: Sending) {
  const length = bytes === 'unknown' ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`
  const key = token ? `Authorization: Bearer ${token}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${key}${length}\r\n${more}\r\n`
}

/** A connection, and the statuses and the text of the responses that came over it. */
export function open(t: Test, port: number) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk))
  t.teardown(() => socket.destroy())
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)].map(([, status]) => Number(status))
  return { socket, statuses, text: () => text }
}
