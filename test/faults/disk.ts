/** A small file system for a store's files, which can be filled completely and freed again. */
import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const mebibyte = 1024 * 1024

export type Disk = {
  folder: string
  /** Fills the disk to the last byte. */
  fill(): Promise<void>
  free(): Promise<void>
  unmount(): Promise<void>
}

/** A disk in memory at this folder; null if this process may not mount one. */
export async function mountDisk(folder: string, mebibytes: number): Promise<Disk | null> {
  await mkdir(folder, { recursive: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', folder])
  } catch {
    return null
  }
  const filler = path.join(folder, 'filler')
  return {
    folder,
    async fill() {
      const file = await open(filler, 'w')
      try {
        // Smaller and smaller pieces, so that no free space remains.
        for (const size of [mebibyte, 4096, 1]) await writeUntilFull(file, Buffer.alloc(size))
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
    // Lazy unmount: a server that was just killed may still hold its files.
    unmount: async () => void (await run('umount', ['--lazy', folder])),
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, piece: Buffer): Promise<void> {
  try {
    while (true) await file.write(piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
