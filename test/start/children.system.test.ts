/** Children of `npm start`: restarted, given up, and ended with everything that they started. */
import { appendFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { startChildren } from '../../src/start/children.ts'
import { makeFolder } from '../command-line.ts'
import { until } from '../until.ts'

/** Starts one child, whose command can write to the file $OUT. `lines` reads that file; `said` has the messages. */
async function start(t: Test, line: string) {
  const out = path.join(await makeFolder(t), 'out')
  await appendFile(out, '')
  const said: string[] = []
  const environment = { ...process.env, OUT: out }
  const children = startChildren([{ name: 'web', line }], environment, (text) => said.push(text))
  children.failed.catch(() => {})
  t.teardown(() => children.stop(0))
  const lines = async () => (await readFile(out, 'utf8')).split('\n').filter(Boolean)
  return { children, said, lines }
}

/** Whether a process runs. A zombie, which has ended but whose exit code was not read, does not count. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return !/\) [ZX]/.test(status)
  } catch {
    return false
  }
}

t.test('a child that is killed is started again', async (t) => {
  const { said, lines } = await start(t, `sh -c 'echo $$ >> "$OUT"; sleep 60'`)
  await until(async () => (await lines()).length === 1)
  const [pid] = await lines()
  process.kill(Number(pid), 'SIGKILL')
  await until(async () => (await lines()).length === 2)
  t.match(said, ['web ended by SIGKILL; starting it again in 1 s'])
})

t.test('a child that ends at once three times in a row is not started again', async (t) => {
  const { children, said, lines } = await start(t, `sh -c 'echo started >> "$OUT"; exit 3'`)
  await t.rejects(children.failed, /^web ended with code 3, 3 times in a row/)
  t.equal((await lines()).length, 3)
  t.equal(said.length, 2)
})

t.test('a child gets a signal to end, and its remaining child processes are ended too', async (t) => {
  const line = `sh -c 'trap "echo asked >> \\"$OUT\\"; exit" TERM; sleep 60 & echo $! >> "$OUT"; wait'`
  const { children, lines } = await start(t, line)
  await until(async () => (await lines()).length === 1)
  await children.stop(60_000)
  const [sleeper, asked] = await lines()
  t.equal(asked, 'asked')
  await until(async () => !(await isRunning(Number(sleeper))))
})

t.test('a child that ignores the signal is killed after the grace time', async (t) => {
  const line = `sh -c 'trap "" TERM; echo $$ >> "$OUT"; while :; do sleep 1; done'`
  const { children, lines } = await start(t, line)
  await until(async () => (await lines()).length === 1)
  await children.stop(100)
  const [pid] = await lines()
  await until(async () => !(await isRunning(Number(pid))))
})

t.test('a child that ignores the signal can be killed before the grace time is over', async (t) => {
  const line = `sh -c 'trap "" TERM; echo $$ >> "$OUT"; while :; do sleep 1; done'`
  const { children, lines } = await start(t, line)
  await until(async () => (await lines()).length === 1)
  const graceTimeMs = 60_000
  const begun = Date.now()
  const stopped = children.stop(graceTimeMs)
  children.kill()
  await stopped
  t.ok(Date.now() - begun < graceTimeMs)
  const [pid] = await lines()
  await until(async () => !(await isRunning(Number(pid))))
})
