/** A shell in which the commands of a document run one after another, as in a terminal. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { program } from '../command-line.ts'

export type Printed = { code: number; output: string }

/**
 * Replaces `npm run --silent cli --` by the program itself, because npm takes longer to start than most
 * commands take. Any other use of npm fails.
 */
const npm = `npm() {
  if [ "$1 $2 $3 $4" != 'run --silent cli --' ]; then echo "not here: npm $*"; return 1; fi
  shift 4
  '${process.execPath}' '${program}' "$@"
}`

/** Starts a shell in a folder, with these variables, PATH and HOME only. It ends with the test. */
export function openShell(t: Test, folder: string, variables: Record<string, string>) {
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(shell, 'close')
  t.teardown(async () => {
    shell.stdin.end()
    await ended
  })
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  shell.stdin.write(`${npm}\n`)
  return {
    /** Runs a command to its end, without standard input. Variables that it sets stay set for the next one. */
    async run(command: string): Promise<Printed> {
      const mark = randomUUID()
      shell.stdin.write(`{ ${command}\n} < /dev/null 2>&1; printf '\\n%s %s\\n' ${mark} $?\n`)
      const output: string[] = []
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`the shell ended in: ${command}`)
        const [first, code] = value.split(' ')
        if (first === mark) return { code: Number(code), output: output.join('\n') }
        output.push(value)
      }
    },
  }
}
