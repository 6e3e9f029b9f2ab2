/**
 * The clock of a process, which can be set forward and back while it runs, with libfaketime (Debian:
 * faketime).
 */
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

export type Clock = {
  /** The environment of the process. */
  environment: Record<string, string>
  /** Within a second, the process sees a time that differs this much from the true one. */
  set(seconds: number): Promise<void>
}

const libraries = '/usr/lib'

/** A clock that is set by a file in the folder; null without libfaketime. */
export async function createClock(folder: string, name: string): Promise<Clock | null> {
  const library = await findLibrary()
  if (!library) return null
  const file = path.join(folder, `${name}.clock`)
  const set = (seconds: number) => writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}`)
  await set(0)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // The file is read every second; the default is every ten seconds.
      FAKETIME_CACHE_DURATION: '1',
      // As on a real machine: timers and timeouts do not depend on the time of day.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  }
}

async function findLibrary(): Promise<string | null> {
  const folders = await readdir(libraries).catch((): string[] => [])
  for (const folder of folders) {
    const candidate = path.join(libraries, folder, 'faketime')
    const files = await readdir(candidate).catch((): string[] => [])
    if (files.includes('libfaketime.so.1')) return path.join(candidate, 'libfaketime.so.1')
  }
  return null
}
