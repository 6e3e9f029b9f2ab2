/**
 * Keeps a child from outliving the process that looks after it, even when that is killed. The parent holds one
 * end of a pipe that nobody else has; the child sees it close, through any shell or npm in between.
 */
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

const promise = 'end-with-me\n'

/** The parent's part: says on the child's standard input what its closing is going to mean. */
export function promiseEnd(childInput: Writable): void {
  // A child that is gone already shows elsewhere.
  childInput.on('error', () => {})
  childInput.write(promise)
}

/**
 * The child's part: calls `end` once, when a parent that had promised its end is gone. Standard input that comes
 * from anywhere else, such as a terminal, /dev/null or another program's pipe, never ends the process.
 */
export function endWithParent(end: () => void): void {
  const { stdin } = process
  if (!(stdin instanceof Socket) || stdin.isTTY) return
  let heard = ''
  stdin.setEncoding('utf8')
  stdin.on('data', (text) => {
    heard = (heard + text).slice(0, promise.length)
  })
  stdin.on('error', () => {})
  stdin.once('close', () => {
    if (heard === promise) end()
  })
  stdin.unref()
}
