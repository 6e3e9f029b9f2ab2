/** Text that may be written faster than it is read. */
import { text } from 'node:stream/consumers'
import t from 'tap'
import { type SpooledText, spoolText, type WriteText } from '../../../src/platform/text/spool.ts'
import { until } from '../../until.ts'

// Longer than a busy machine can delay a test.
const bufferingMs = 120_000
const piece = (number: number) => `${number} ${'x'.repeat(100_000)}\n`
const pieces = (count: number) => Array.from({ length: count }, (_, number) => piece(number))

async function read(spooled: SpooledText): Promise<string> {
  return Buffer.isBuffer(spooled) ? spooled.toString() : text(spooled)
}

t.test('a short text is returned whole when it is complete', async (t) => {
  const spooled = await spoolText(async (write) => {
    for (const text of pieces(3)) await write(text)
  }, bufferingMs)
  t.ok(Buffer.isBuffer(spooled))
  t.equal(await read(spooled), pieces(3).join(''))
})

t.test('a long text is returned as a stream before it is complete, and is read as a whole', async (t) => {
  let finish = () => {}
  const finishing = new Promise<void>((resolve) => {
    finish = resolve
  })
  const spooled = await spoolText(async (write) => {
    for (const text of pieces(30)) await write(text)
    await finishing
    for (const text of pieces(5)) await write(text)
  })
  t.notOk(Buffer.isBuffer(spooled))
  finish()
  t.equal(await read(spooled), pieces(30).concat(pieces(5)).join(''))
})

t.test('a text that takes long is returned as a stream before it is complete', async (t) => {
  let finish = () => {}
  const finishing = new Promise<void>((resolve) => {
    finish = resolve
  })
  const spooled = await spoolText(async (write) => {
    await write('first, ')
    await finishing
    await write('last')
  }, 50)
  t.notOk(Buffer.isBuffer(spooled))
  finish()
  t.equal(await read(spooled), 'first, last')
})

t.test('an early failure is thrown, and a failure after the stream was returned destroys it', async (t) => {
  const failure = new Error('lost')
  const little = spoolText(async (write) => {
    await write('a little')
    throw failure
  }, bufferingMs)
  await t.rejects(little, failure)
  const cut = await spoolText(async (write) => {
    for (const text of pieces(15)) await write(text)
    throw failure
  })
  await t.rejects(read(cut), failure)
})

t.test('writing stops when the reader is gone', async (t) => {
  let stopped = false
  const endless = async (write: WriteText) => {
    try {
      for (let number = 0; ; number++) await write(piece(number))
    } finally {
      stopped = true
    }
  }
  const spooled = await spoolText(endless)
  if (!Buffer.isBuffer(spooled)) spooled.destroy()
  await until(() => stopped)
  t.pass('it stopped')
})
