/** The SECRET_KEY that `npm start` creates once for its processes, and the keys with which commands encrypt. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Config, openingKeys } from '../config/config.ts'

/** Reads the key from the data folder. The first call makes it, in a file that only this user can read. */
export async function readOrCreateSecretKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret-key')
  if (existsSync(file)) return readFile(file, 'utf8')
  const made = randomBytes(32).toString('base64url')
  await writeFile(`${file}.new`, made, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return made
}

/**
 * The keys with which a command encrypts and decrypts secrets, the current key first: those in the
 * configuration, or else the key under DATA_DIR that `npm start` and the commands share.
 * @throws if a database is configured and SECRET_KEY is not.
 */
export async function secretKeysOf(config: Config): Promise<string[]> {
  const given = openingKeys(config)
  if (given.length > 0) return given
  if (!config.DATABASE_URL && !config.DATABASE_DIRECT_URL)
    return [await readOrCreateSecretKey(config.DATA_DIR)]
  throw new Error('secrets need SECRET_KEY, with the same value as for the web process')
}
