/**
 * Locks between processes of one machine. A lock is identified by a folder and a name. The kernel releases it
 * when its holder dies, so there is nothing to clean up, and no process id that could be mistaken for
 * another. The locks do not work between machines.
 */
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export type ProcessLock = { release(): Promise<void> }

/** Takes the lock `name` of an existing folder, or returns null at once when another process holds it. */
export async function tryProcessLock(folder: string, name: string): Promise<ProcessLock | null> {
  if (process.platform !== 'linux') return lockFile(path.join(folder, `${name}.lock`))
  const { dev, ino } = await stat(folder, { bigint: true })
  return listenOn(`\0activity-booking-service:${dev}:${ino}:${name}`)
}

/**
 * Runs `work` while it holds the lock. Waits for the lock up to `timeoutMs`.
 * @throws when it does not get the lock in time, or what `work` throws.
 */
export async function withProcessLock<T>(
  folder: string,
  name: string,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await waitForLock(folder, name, Date.now() + timeoutMs)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

async function waitForLock(folder: string, name: string, deadline: number): Promise<ProcessLock> {
  while (true) {
    const lock = await tryProcessLock(folder, name)
    if (lock) return lock
    if (Date.now() > deadline)
      throw new Error(`another process has held the lock ${name} of ${folder} for too long`)
    await delay(20)
  }
}

// Linux: an abstract socket has a name but no file, and only one process can listen on it.
function listenOn(address: string): Promise<ProcessLock | null> {
  const server = createServer((socket) => socket.destroy()).unref()
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    server.listen({ path: address, exclusive: true }, () => resolve({ release }))
  })
}

// macOS and the BSDs: open(2) takes an exclusive lock, which ends when the file is closed.
async function lockFile(file: string): Promise<ProcessLock | null> {
  const exclusiveLock = 0x20
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock
    const handle = await open(file, flags, 0o600)
    return { release: () => handle.close() }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null
    throw error
  }
}
