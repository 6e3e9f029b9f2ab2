/** Every process refuses an unpatched postgres.js, and says how to repair it. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { hashModules, refuseUnpatchedModules } from '../../../src/platform/postgres/patched-driver.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'
import { makeFolder, type Outcome } from '../../command-line.ts'

const patches = (await readdir(projectPath('patches'))).filter((name) => name.endsWith('.patch')).sort()

/** The result of `npm ci --ignore-scripts`: the project with all packages, and postgres.js as published. */
async function installWithoutScripts(t: Test) {
  const folder = await makeFolder(t)
  const inside = (...parts: string[]) => path.join(folder, ...parts)
  const patchPackage = (...args: string[]) =>
    promisify(execFile)(process.execPath, [projectPath('node_modules/patch-package/index.js'), ...args], {
      cwd: folder,
    })
  await mkdir(inside('node_modules'))
  for (const name of await readdir(projectPath('node_modules'))) {
    if (name !== 'postgres') await symlink(projectPath('node_modules', name), inside('node_modules', name))
  }
  const copied = [
    'package.json',
    'patches',
    'node_modules/postgres',
    'dist/src',
    'dist/workers',
    'sql',
    'assets',
  ]
  for (const name of copied) await cp(projectPath(name), inside(name), { recursive: true })
  await patchPackage('--reverse')
  return { inside, patchPackage, modules: inside('node_modules/postgres/src') }
}

function start(
  folder: string,
  entry: string,
  args: readonly string[] = [],
  variables = {},
): Promise<Outcome> {
  const env = { PATH: process.env.PATH, DATA_DIR: path.join(folder, 'data'), ...variables }
  return new Promise((resolve) => {
    const command = [path.join(folder, 'dist', entry), ...args]
    execFile(process.execPath, command, { env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

t.test('after an install without scripts', async (t) => {
  const { inside, patchPackage, modules } = await installWithoutScripts(t)
  const variables = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }

  t.test('no process starts, and each says how to repair it', async (t) => {
    const refusal =
      /^(error: )?postgres\.js 3\.4\.9 is installed without the patches of this service: run `npx patch-package`, or `npm ci` without --ignore-scripts\n$/
    const commands: [entry: string, ...args: string[]][] = [
      ['src/server.js'],
      ['workers/worker.js'],
      ['src/start.js'],
      ['src/cli.js', 'accounts', 'list'],
      ['src/cli.js', 'migrate'],
    ]
    for (const [entry, ...args] of commands) {
      const outcome = await start(inside(), entry, args, variables)
      t.match(outcome, { code: 1, stdout: '', stderr: refusal }, [entry, ...args].join(' '))
    }
  })

  t.test('postgres.js with only some of the patches is refused', async (t) => {
    for (const name of patches.slice(1)) await rm(inside('patches', name))
    await patchPackage()
    t.throws(() => refuseUnpatchedModules(modules), { message: /without the patches/ })
  })

  t.test('npx patch-package repairs it, and patched sources with CRLF line ends are accepted', async (t) => {
    await cp(projectPath('patches'), inside('patches'), { recursive: true })
    await patchPackage()
    t.equal(hashModules(modules), hashModules(projectPath('node_modules/postgres/src')))
    t.match(await start(inside(), 'src/server.js'), { code: 1, stderr: /^DATABASE_URL is not set/ })
    const index = path.join(modules, 'index.js')
    await writeFile(index, (await readFile(index, 'utf8')).replaceAll('\n', '\r\n'))
    t.doesNotThrow(() => refuseUnpatchedModules(modules))
  })

  t.test('a later change of the sources is refused, and so is another version', async (t) => {
    await writeFile(path.join(modules, 'queue.js'), '// changed\n', { flag: 'a' })
    t.throws(() => refuseUnpatchedModules(modules), { message: /without the patches/ })
    const manifest = inside('node_modules/postgres/package.json')
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"3.4.9"', '"3.4.10"'))
    t.match(await start(inside(), 'src/server.js'), {
      code: 1,
      stdout: '',
      stderr:
        /^postgres\.js 3\.4\.10 is installed, and this service needs 3\.4\.9 with its patches: run `npm ci` without --ignore-scripts\n$/,
    })
  })
})
