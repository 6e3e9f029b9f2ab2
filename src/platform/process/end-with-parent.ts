/**
 * Ends a child process when its parent ends, even when the parent is killed. The parent holds the only
 * writing end of a pipe. The child sees the pipe close, through any shell or npm in between.
 */
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

const linkLine = 'end-with-me\n'

/**
 * For the parent: writes a fixed line to the child's standard input, so that the child ends with this
 * process.
 */
export function linkToParent(childInput: Writable): void {
  // If the child has ended, writing fails. Its exit is handled by the code that started it.
  childInput.on('error', () => {})
  childInput.write(linkLine)
}

/**
 * For the child: calls `end` once, when a parent that called linkToParent() is gone. Any other standard
 * input, such as a terminal, /dev/null or the pipe of another program, never ends the process.
 */
export function endWithParent(end: () => void): void {
  const { stdin } = process
  if (!(stdin instanceof Socket) || stdin.isTTY) return
  let heard = ''
  stdin.setEncoding('utf8')
  stdin.on('data', (text) => {
    heard = (heard + text).slice(0, linkLine.length)
  })
  stdin.on('error', () => {})
  stdin.once('close', () => {
    if (heard === linkLine) end()
  })
  stdin.unref()
}
