/** Runs the commands of README and the documents in their order, except blocks that are marked with a reason. */
import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { makeFolder } from '../command-line.ts'
import { createDatabase } from '../helper.ts'
import { startAllInOne } from '../start/all-in-one.ts'
import { until } from '../until.ts'
import { type CommandBlock, commandBlocksOf, listDocuments, readDocument } from './documents.ts'
import { complete, reasons, refusalsIn, type Surroundings } from './runnable.ts'
import { openShell } from './shell.ts'

const documents = await Promise.all(
  (await listDocuments()).map(async (name) => {
    const text = await readDocument(name)
    return { name, text, blocks: commandBlocksOf(text) }
  }),
)
const programs = ['bash', 'curl', 'openssl', 'psql']
const found = await Promise.all(
  programs.map((name) => promisify(execFile)('which', [name]).catch(() => null)),
)
const missing = programs.filter((_, index) => !found[index])

t.test('a command block that is not run has a known reason, and every known reason is used', async (t) => {
  const marks = documents.flatMap(({ blocks }) => blocks.map(({ mark }) => mark))
  t.same([...new Set(marks)].sort(), ['', ...Object.keys(reasons)].sort())
})

t.test('commands are in blocks that are marked as commands', async (t) => {
  for (const { name, text } of documents)
    for (const [, , language = '', block = ''] of text.matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```$/gm))
      if (!language.startsWith('sh')) t.notMatch(block, /^ *(?:npm|npx|curl|psql) /m, name)
})

t.test('the commands', { skip: missing.length > 0 && `no ${missing.join(', ')}` }, async (t) => {
  const service = await startService(t)
  for (const { name, blocks } of documents) {
    const run = blocks.filter(({ mark }) => mark === '')
    if (run.length > 0) t.test(`of ${name} work`, (t) => runAll(t, run, service))
  }
})

type Service = { around: Surroundings; folder: string; variables: Record<string, string> }

/**
 * Starts the service with `npm start` on its own database, and makes a folder like the root of the project. Returns
 * the values that commands need, the folder, and environment variables.
 */
async function startService(t: Test): Promise<Service> {
  const folder = await makeFolder(t)
  for (const name of ['docs', 'ops', 'sql']) await symlink(projectPath(name), path.join(folder, name))
  const database = new URL((await createDatabase(t)).url)
  database.search = ''
  const shared = {
    DATA_DIR: path.join(folder, '.data'),
    DATABASE_URL: database.href,
    SECRET_KEY: 'x'.repeat(32),
    REQUEST_TIMEOUT_SECONDS: '120',
  }
  const started = startAllInOne(t, { ...shared, WORKER_PORT: '0' })
  await started.requests()
  const keyOf = (words: string) =>
    new RegExp(`^Demo ${words}: (abs_\\S+)$`, 'm').exec(started.printed.stdout)![1]!
  const around = {
    baseUrl: started.baseUrl(),
    key: keyOf('key, shown only this once'),
    testKey: keyOf('test key, which sells nothing, shown only this once'),
    today: new Date(),
  }
  return { around, folder, variables: { ...shared, PUBLIC_URL: around.baseUrl } }
}

async function runAll(t: Test, blocks: CommandBlock[], { around, folder, variables }: Service) {
  const shell = openShell(t, folder, variables)
  const printed: string[] = []
  for (const { above, commands } of blocks)
    for (const command of commands) {
      const completed = complete(command, printed, around)
      let { code, output } = await shell.run(completed)
      // `partners certify` fails until the partner's requests are counted. On a slow machine, a request may get 503.
      const isToRepeat = () =>
        (code !== 0 && /partners certify/.test(command)) || refusalsIn(output).includes(503)
      await until(async () => {
        if (isToRepeat()) ({ code, output } = await shell.run(completed))
        return !isToRepeat()
      })
      printed.push(output)
      t.equal(code, 0, `${completed}\n${output}`)
      const unexpected = refusalsIn(output).filter((status) => !above.includes(String(status)))
      t.same(unexpected, [], `${completed}\n${output}`)
    }
}
