/**
 * Tests the changes that `npm test` makes to tap, by running other tests in separate processes.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { projectPath } from '../src/platform/project/paths.ts'
import { makeFolder } from './command-line.ts'
import { slowestFiles } from './processor-times.ts'

const quick = pathToFileURL(projectPath('dist', 'test', 'quick-tap.js')).href

/** Runs tests given as text; returns the exit code and the output of tap. */
function runTests(tests: string, environment: Record<string, string> = {}) {
  const args = [`--import=${quick}`, '--input-type=module', '-e', `import t from 'tap'\n${tests}`]
  const options = { cwd: projectPath(), env: { PATH: process.env.PATH, ...environment } }
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, args, options, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout }),
    )
  })
}

// The test waits until the error has occurred, as a test that waits for a response does.
const waiting = 'await new Promise((resolve) => setTimeout(resolve, 50))'
const stray = {
  'an error of a callback': `setImmediate(() => { throw new Error('stray') }); ${waiting}`,
  'a rejection that nothing handles': `Promise.reject(new Error('stray')); ${waiting}`,
}
for (const [name, body] of Object.entries(stray)) {
  t.test(`${name} fails the test that runs, and the tests after it run`, async (t) => {
    const { code, output } = await runTests(`
      t.test('before', async (t) => t.pass())
      t.test('outer', async (t) => { await t.test('inner', async () => { ${body} }) })
      t.test('after', async (t) => t.pass())`)
    t.equal(code, 1)
    t.match(output, /^ok 1 - before/m)
    t.match(output, /^ {8}not ok 1 - stray$/m)
    t.match(output, /^ {4}not ok 1 - inner/m)
    t.match(output, /^not ok 2 - outer/m)
    t.match(output, /^ok 3 - after/m)
  })
}

t.test('an error before the first test, or after the last one, fails the process', async (t) => {
  const early = await runTests(`setImmediate(() => { throw new Error('stray') }); ${waiting}`)
  t.equal(early.code, 1)
  t.match(early.output, /^not ok 1 - stray$/m)
  const late = await runTests(`
    t.test('only', async (t) => t.pass())
    process.once('beforeExit', () => { throw new Error('stray') })`)
  t.not(late.code, 0)
})

const hangs = (more: string) => `
  t.test('outer', async (t) => {
    await t.test('inner', async (t) => {
      const timer = setInterval(() => {}, 1000)
      ${more}
      await new Promise(() => {})
    })
  })
  t.test('after', async (t) => t.pass())`

t.test('a test that hangs fails with its name, and the tests after it run', async (t) => {
  const { code, output } = await runTests(hangs('t.teardown(() => clearInterval(timer))'), {
    TEST_STALL_MS: '2000',
  })
  t.equal(code, 1)
  t.match(output, /^ {8}not ok 1 - no test has begun or ended for 2 s$/m)
  t.match(output, /^ {4}not ok 1 - inner/m)
  t.match(output, /^ok 2 - after/m)
})

t.test('a process that does not end after its last test fails', async (t) => {
  const { code, output } = await runTests(hangs(''), { TEST_STALL_MS: '2000' })
  t.equal(code, 1)
  t.match(output, /^ok 2 - after/m)
})

t.test('tap does not retain the promises that a test makes', async (t) => {
  const { code, output } = await runTests(`
    t.test('many', async (t) => {
      for (let made = 0; made < 1000; made++) await Promise.resolve()
      t.ok(t.hookDomain.ids.size < 10)
    })`)
  t.equal(code, 0, output)
})

t.test('the processor time of each file is recorded, and the slowest files are listed first', async (t) => {
  const times = path.join(await makeFolder(t), 'times')
  const busy = 'for (const until = process.cpuUsage().user + 50_000; process.cpuUsage().user < until; );'
  const { code } = await runTests(
    `t.test('idle', async (t) => t.pass())
    t.test('busy', async () => { ${busy} })`,
    { TEST_TIMES: times },
  )
  t.equal(code, 0)
  const lines = (await readFile(times, 'utf8')).trim().split('\n')
  const spent = lines.map((line): { file: string; ms: number } => JSON.parse(line))
  t.equal(spent.length, 3, 'one line for loading, and one for each of the two tests')
  t.ok(spent[2]!.ms >= 50)

  const rows = [
    { file: '', ms: 1000 },
    { file: 'a.test.ts', ms: 2000 },
    { file: 'b.test.ts', ms: 1500 },
    { file: 'c.test.ts', ms: 100 },
    { file: 'b.test.ts', ms: 1600 },
  ]
  await writeFile(times, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  t.same(await slowestFiles(times, 2), [
    'Processor time of the tests without their stores: 6.2 s, of which 1.0 s to load. The slowest files:',
    '     3.1 s  b.test.ts',
    '     2.0 s  a.test.ts',
  ])
  t.same(await slowestFiles(`${times}-none`), [], 'nothing was measured')
})
