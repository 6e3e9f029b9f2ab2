/**
 * Text that is written faster than it is read: what fits stays in memory, and the rest waits in a file without a name,
 * so that a slow reader keeps neither memory nor the source of the text.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

const mostBytesInMemory = 1024 * 1024
const bytesReadAtOnce = 64 * 1024
const maxBufferingMs = 4000

/** All of a short text, or a stream of a long one. A stream that is not read has to be destroyed. */
export type SpooledText = Buffer | Readable

/** @throws when nobody reads on. */
export type WriteText = (text: string) => Promise<void>

/**
 * Gives what `fill` writes: all of it once it has ended, or a stream when the text is too long for memory, or is not
 * complete 4 seconds after it began (`bufferingMs`). An error before that is thrown; later it destroys the stream.
 */
export function spoolText(
  fill: (write: WriteText) => Promise<void>,
  bufferingMs = maxBufferingMs,
): Promise<SpooledText> {
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = []
    let bytes = 0
    let file: Promise<SpoolFile> | null = null
    let flushed = Promise.resolve()
    let late: NodeJS.Timeout | undefined

    function flush(): Promise<void> {
      const text = Buffer.concat(pieces)
      pieces = []
      bytes = 0
      file ??= openSpoolFile()
      // One after the other, so that they stand in the file in their order.
      flushed = Promise.all([file, flushed]).then(async ([{ append, body }]) => {
        await append(text)
        resolve(body)
      })
      return flushed
    }
    async function write(text: string): Promise<void> {
      const piece = Buffer.from(text)
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= mostBytesInMemory) await flush()
      late ??= setTimeout(() => flush().catch(fail), bufferingMs)
    }
    async function run(): Promise<void> {
      await fill(write)
      clearTimeout(late)
      if (!file) return resolve(Buffer.concat(pieces))
      await flush()
      const { end } = await file
      end()
    }
    async function fail(error: Error): Promise<void> {
      clearTimeout(late)
      reject(error)
      await file?.then(({ body }) => body.destroy(error)).catch(() => {})
    }
    run().catch(fail)
  })
}

type SpoolFile = { append(text: Buffer): Promise<void>; end(): void; body: Readable }

/** A file that is read while it is written. It has no name, so that it is gone as soon as it is closed. */
async function openSpoolFile(): Promise<SpoolFile> {
  const file = await openUnnamed()
  let [written, read, ended] = [0, 0, false]
  let grow = () => {}

  async function readOn(): Promise<void> {
    while (read === written && !ended)
      await new Promise<void>((resolve) => {
        grow = resolve
      })
    const length = Math.min(bytesReadAtOnce, written - read)
    if (length === 0) return void body.push(null)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, read)
    read += bytesRead
    body.push(buffer.subarray(0, bytesRead))
  }
  const body = new Readable({
    read: () => void readOn().catch((error) => body.destroy(error)),
    destroy: (error, done) => void file.close().then(() => done(error), done),
  })

  return {
    body,
    async append(text) {
      if (body.destroyed) throw new Error('nobody reads on')
      await file.appendFile(text)
      written += text.length
      grow()
    },
    end() {
      ended = true
      grow()
    },
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `spool-${randomUUID()}`)
  const file = await open(name, 'wx+', 0o600)
  await unlink(name)
  return file
}
