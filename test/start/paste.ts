/** Runs a line as it was printed, in a shell. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A replacement for curl with the printed options, for machines without curl. */
const standIn = `#!/usr/bin/env node
const { parseArgs } = require('node:util')
const text = { type: 'string' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { s: { type: 'boolean', short: 's' }, S: { type: 'boolean', short: 'S' },
    H: { ...text, short: 'H', multiple: true }, d: { ...text, short: 'd' } },
})
const headers = values.H.map((line) => line.split(': '))
const method = values.d ? 'POST' : 'GET'
fetch(positionals[0], { method, headers, body: values.d }).then(async (answer) => console.log(await answer.text()))
`

/**
 * Runs the line and returns the JSON that it prints. `folder` is for temporary files; `variables` are set in the
 * shell.
 */
export async function paste(line: string, folder: string, variables: Record<string, string> = {}) {
  const bin = path.join(folder, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(path.join(bin, 'curl'), standIn, { mode: 0o755 })
  const PATH = [process.env.PATH, bin].join(path.delimiter)
  const { stdout } = await run('sh', ['-c', line], { env: { PATH, ...variables } })
  return JSON.parse(stdout)
}
