/**
 * Loaded before the test files of a process. By default tap assigns every promise and callback to the test in
 * which it began, to catch errors that no code awaits. That costs as much time as the service’s own work, so
 * it is disabled here. The tests of a process run one at a time, so such an error fails the test that is
 * running.
 */
import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { createProcessorClock } from './processor-times.ts'

type Running = {
  options: { at?: { fileName: string } | null }
  name: string
  hookDomain: { onerror: (error: unknown, kind: string) => unknown }
  timeout: (options: { expired: string; message: string }) => void
  on: (event: 'subtestStart' | 'subtestEnd', act: (subtest: Running) => void) => unknown
}

const { createHook } = asyncHooks
// tap creates its hook when it is loaded. During that time, createHook() returns a hook that does nothing.
setCreateHook(() => createHook({}))
const { t } = await import('tap')
setCreateHook(createHook)

const running: Running[] = [t as unknown as Running]
/** How many subtests have begun or ended. */
let events = 0
follow(running[0]!)
process.on('uncaughtException', (error, kind) => {
  // The exit code must be nonzero also for an error after tap has written its results.
  process.once('exit', () => {
    process.exitCode ||= 1
  })
  running.at(-1)!.hookDomain.onerror(error, kind)
})

const { TEST_TIMES, TEST_STALL_MS = '300000' } = process.env
if (TEST_TIMES) measure(TEST_TIMES)
endStalled(Number(TEST_STALL_MS))

/**
 * Ends a subtest that hangs, so that it does not cost the whole run: the innermost one, when no subtest of the process
 * has begun or ended for `milliseconds`. If none begins or ends for as long again, ends the process.
 */
function endStalled(milliseconds: number): void {
  const message = `no test has begun or ended for ${milliseconds / 1000} s`
  let latest = events
  let isEnding = false
  const look = () => {
    const hangs = events === latest
    if (hangs && isEnding) process.exit(1)
    const [, ...subtests] = running
    const innermost = subtests.at(-1)
    if (hangs) innermost?.timeout({ expired: innermost.name, message })
    isEnding = hangs
    latest = events
  }
  setInterval(look, milliseconds).unref()
}

/** Records the time of each of the outermost tests, by file. */
function measure(times: string): void {
  const note = createProcessorClock(times)
  let file = ''
  running[0]!.on('subtestStart', ({ options }) => {
    note(file)
    file = options.at?.fileName.replace(/^(\.\.\/)+/, '') ?? ''
  })
  process.on('exit', () => note(file))
}

function setCreateHook(value: typeof createHook): void {
  asyncHooks.createHook = value
  syncBuiltinESMExports()
}

function follow(test: Running): void {
  test.on('subtestStart', (subtest) => {
    events++
    running.push(subtest)
    follow(subtest)
  })
  test.on('subtestEnd', (subtest) => {
    events++
    // Remove only this test: the next one may have started.
    const place = running.lastIndexOf(subtest)
    if (place > 0) running.splice(place, 1)
  })
}
