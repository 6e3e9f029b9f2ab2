/** `npm run dev` in a copy of the project: what a developer sees after a change, after a mistake, and after Ctrl-C. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { projectPath } from '../../src/platform/project/paths.ts'
import { makeFolder } from '../command-line.ts'
import { killAll, processesOf } from '../start/all-in-one.ts'
import { until } from '../until.ts'

t.test('npm run dev', async (t) => {
  const copy = await copyProject(t)
  const dataDir = path.join(copy, '.data')
  const dev = await startDev(t, copy, dataDir)
  const page = async () => (await fetch(`${dev.url}/problems/validation`).catch(() => null))?.text()
  const source = path.join(copy, 'src', 'surfaces', 'reference.ts')
  const text = await readFile(source, 'utf8')

  t.test('prints the demo key and three requests, as npm start does, and serves pages', async (t) => {
    await until(() => dev.output().match(/^curl .*$/gm)?.length === 3)
    t.match(dev.output(), /^Demo key, shown only this once: abs_/m)
    t.match(await page(), '<h2>What it means</h2>')
  })

  t.test(
    'keeps the previous version running while the sources do not compile, and prints the error',
    async (t) => {
      const web = await pidOfWeb(dataDir)
      await writeFile(source, `${text}const broken: string = 1\n`)
      await until(() => /the previous version keeps running/.test(dev.output()))
      t.match(dev.output(), /src\/surfaces\/reference\.ts.* error TS\d+/)
      t.match(await page(), '<h2>What it means</h2>')
      t.equal(await pidOfWeb(dataDir), web)
    },
  )

  t.test(
    'serves a change on the same data, also when it is made during a build and the editor replaces the file',
    async () => {
      const compiled = async () => (await stat(path.join(copy, 'dist', '.tsbuildinfo'))).mtimeMs
      const before = await compiled()
      await writeFile(source, text.replace('What it means', 'What it says'))
      await until(async () => (await compiled()) > before)
      await writeFile(`${source}.new`, text.replace('What it means', 'What it is'))
      await rename(`${source}.new`, source)
      await until(async () => (await page())?.includes('<h2>What it is</h2>') === true)
      await until(() => dev.output().includes('To try it, make a key first'))
    },
  )

  t.test('ends with all its processes after Ctrl-C', async (t) => {
    await until(async () => (await processesOf(dataDir)).some(({ command }) => /postgres/.test(command)))
    // A terminal sends SIGINT to all processes of the foreground group.
    process.kill(-dev.pid, 'SIGINT')
    await dev.ended
    t.same(await processesOf(dataDir), [])
  })
})

async function pidOfWeb(dataDir: string): Promise<number> {
  return (await processesOf(dataDir)).find(({ command }) => /^node .*server\.js/.test(command))!.pid
}

async function copyProject(t: Test): Promise<string> {
  const copy = await makeFolder(t)
  const parts = [
    'src',
    'workers',
    'assets',
    'sql',
    'docs',
    'tools',
    'Procfile',
    'package.json',
    'tsconfig.json',
  ]
  await Promise.all(parts.map((name) => cp(projectPath(name), path.join(copy, name), { recursive: true })))
  await symlink(projectPath('node_modules'), path.join(copy, 'node_modules'))
  return copy
}

async function startDev(t: Test, cwd: string, DATA_DIR: string) {
  const { PATH, HOME } = process.env
  const port = await probePort('127.0.0.1', 0)
  const child = spawn('npm', ['run', 'dev'], {
    cwd,
    detached: true,
    env: { PATH, HOME, DATA_DIR, PORT: String(port), WORKER_PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  t.teardown(() => killAll(DATA_DIR))
  return {
    pid: child.pid!,
    output: () => output,
    ended: once(child, 'close'),
    url: `http://127.0.0.1:${port}`,
  }
}
