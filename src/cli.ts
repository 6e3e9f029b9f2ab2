/** The process of the command line: runs the command that was typed. A failure says one line on standard error. */
import { CommanderError } from 'commander'
import { createProgram, failureOf } from './program.ts'

// A reader that goes away, as `head` does, ends the output and nothing else; print() sees every error.
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
