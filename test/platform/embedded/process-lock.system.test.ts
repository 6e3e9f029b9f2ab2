/** Locks between processes: a lock has one holder, and is free when that process has ended. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { tryProcessLock, withProcessLock } from '../../../src/platform/embedded/process-lock.ts'
import { makeFolder } from '../../command-line.ts'

t.test('a lock has one holder, for each folder and name', async (t) => {
  const [folder, other] = [await makeFolder(t), await makeFolder(t)]
  const lock = await tryProcessLock(folder, 'start')
  t.equal(await tryProcessLock(folder, 'start'), null)
  for (const free of [await tryProcessLock(folder, 'stop'), await tryProcessLock(other, 'start')]) {
    t.ok(free)
    await free?.release()
  }
  await lock!.release()
  const again = await tryProcessLock(folder, 'start')
  t.ok(again)
  await again?.release()
})

t.test('a lock is free as soon as its holder has been killed', async (t) => {
  const folder = await makeFolder(t)
  const module = path.resolve(import.meta.dirname, '../../../src/platform/embedded/process-lock.js')
  const script = `import { tryProcessLock } from ${JSON.stringify(module)}
    await tryProcessLock(${JSON.stringify(folder)}, 'start')
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(holder.stdout, 'data')
  t.equal(await tryProcessLock(folder, 'start'), null)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const lock = await tryProcessLock(folder, 'start')
  t.ok(lock)
  await lock?.release()
})

t.test('work under a lock runs one at a time, and failed work releases the lock', async (t) => {
  const folder = await makeFolder(t)
  let busy = 0
  const work = async () => {
    t.equal(++busy, 1)
    await delay(10)
    busy--
  }
  await Promise.all([1, 2, 3].map(() => withProcessLock(folder, 'work', 60_000, work)))
  const failing = () => Promise.reject(new Error('failed'))
  await t.rejects(withProcessLock(folder, 'work', 60_000, failing), new Error('failed'))
  const lock = await tryProcessLock(folder, 'work')
  await t.rejects(withProcessLock(folder, 'work', 50, work), /held the lock work/)
  await lock?.release()
})
