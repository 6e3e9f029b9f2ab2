/** The process of the command line: runs one command. A failure prints one line on standard error. */
import { CommanderError } from 'commander'
import { createProgram, failureOf } from './program.ts'

// An error of standard output, such as a pipe that `head` has closed, must not crash the process: print() handles it.
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
