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
  hookDomain: { onerror: (error: unknown, kind: string) => unknown }
  on: (event: 'subtestStart' | 'subtestEnd', act: (subtest: Running) => void) => unknown
}

const { createHook } = asyncHooks
// tap creates its hook once, when it is loaded: meanwhile, replace the hook with one that does nothing.
setCreateHook(() => createHook({}))
const { t } = await import('tap')
setCreateHook(createHook)

const running: Running[] = [t as unknown as Running]
follow(running[0]!)
process.on('uncaughtException', (error, kind) => {
  // The exit code must be nonzero also for an error after tap has written its results.
  process.once('exit', () => {
    process.exitCode ||= 1
  })
  running.at(-1)!.hookDomain.onerror(error, kind)
})

const { TEST_TIMES } = process.env
if (TEST_TIMES) measure(TEST_TIMES)

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
    running.push(subtest)
    follow(subtest)
  })
  test.on('subtestEnd', (subtest) => {
    // Remove only this test: the next one may have started.
    const place = running.lastIndexOf(subtest)
    if (place > 0) running.splice(place, 1)
  })
}
