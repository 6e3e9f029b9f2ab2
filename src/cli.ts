/** The process of the command line: runs one command. A failure prints one line on standard error. */
import { CommanderError } from 'commander'
import { createProgram, failureOf } from './program.ts'

// A reader that closes its end, as `head` does, only ends the output; print() sees every error.
process.stdout.on('error', () => {})

try {
  await createProgram().parseAsync()
} catch (error) {
  const isHelp = error instanceof CommanderError && error.exitCode === 0
  if (!isHelp) {
    const { code, line } = failureOf(error)
    process.stderr.write(`${line}\n`)
    process.exitCode = code
  }
}
