/** The SECRET_KEY that `npm start` makes for its processes, the same at every start, and what commands seal with. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Config, openingKeys } from '../config/config.ts'

/** Reads it from the data folder, where it is made the first time, for nobody else to read. */
export async function keptSecretKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret-key')
  if (existsSync(file)) return readFile(file, 'utf8')
  const made = randomBytes(32).toString('base64url')
  await writeFile(`${file}.new`, made, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return made
}

/**
 * What a command seals and opens secrets with: the keys of the other processes, the current one first; beside `npm start`
 * the one that it made.
 */
export async function secretKeysOf(config: Config): Promise<string[]> {
  const given = openingKeys(config)
  if (given.length > 0) return given
  if (!config.DATABASE_URL) return [await keptSecretKey(config.DATA_DIR)]
  throw new Error('secrets need SECRET_KEY, the same as the web process has')
}
