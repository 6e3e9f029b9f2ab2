/** The SECRET_KEY that `npm start` makes for its processes, the same at every start. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Reads it from the data folder, where it is made the first time, for nobody else to read. */
export async function keptSecretKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret-key')
  if (existsSync(file)) return readFile(file, 'utf8')
  const made = randomBytes(32).toString('base64url')
  await writeFile(`${file}.new`, made, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return made
}
