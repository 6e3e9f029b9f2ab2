/**
 * Text that may be written faster than it is read. The first part stays in memory, and the rest goes to an
 * unnamed file, so a slow reader neither fills the memory nor delays the source.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

const maxBytesInMemory = 1024 * 1024
const bytesReadAtOnce = 64 * 1024
const maxBufferingMs = 4000

/** A short text as a whole, or a stream of a long one. A stream that is not read must be destroyed. */
export type SpooledText = Buffer | Readable

/** @throws when the reader has closed the stream. */
export type WriteText = (text: string) => Promise<void>

/**
 * Returns what `fill` writes: the whole text once it is complete, or a stream when it is too long for memory,
 * or not complete 4 seconds (`bufferingMs`) after the first call of `write`. An error before that is thrown;
 * a later error destroys the stream.
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
      // One after the other, to keep their order in the file.
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
      if (bytes >= maxBytesInMemory) await flush()
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

/**
 * A file that is read while it is written. Its name is removed at once, so it disappears when it is closed.
 */
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
      if (body.destroyed) throw new Error('the reader has closed the stream')
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
