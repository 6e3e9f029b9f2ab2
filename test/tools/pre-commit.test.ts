/** The check before a commit, in a small repository with the hook and the settings of this one. */
import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { makeFolder } from '../command-line.ts'

const run = promisify(execFile)

t.test('before a commit', async (t) => {
  const folder = await makeFolder(t)
  const { PATH, HOME } = process.env
  // The environment has none of Git’s hook variables, because this test may itself run in a hook of another
  // repository.
  const options = { cwd: folder, env: { PATH, HOME } }
  const git = (...args: string[]) => run('git', args, options)
  const commit = async (text: string) => {
    await writeFile(path.join(folder, 'src', 'one.ts'), text)
    await git('add', 'src')
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    return git(...who, 'commit', '-m', 'test: one').then(
      () => 'committed',
      (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`,
    )
  }
  for (const name of ['.githooks', '.gitignore', 'biome.json', 'tsconfig.json', 'package.json'])
    await cp(projectPath(name), path.join(folder, name), { recursive: true })
  await mkdir(path.join(folder, 'src'))
  // A separate folder, because the check writes its cache there.
  await mkdir(path.join(folder, 'node_modules'))
  for (const name of ['.bin', '@types', '@biomejs', 'undici-types'])
    await symlink(projectPath('node_modules', name), path.join(folder, 'node_modules', name))
  await git('init', '--quiet')
  await run('npm', ['run', 'hooks'], options)

  t.test('a staged file that breaks a rule of the linter is refused', async (t) => {
    t.match(await commit('export const one: any = 1\n'), 'noExplicitAny')
  })

  t.test('a staged file that does not compile is refused', async (t) => {
    t.match(await commit("export const one: number = 'one'\n"), 'TS2322')
  })

  t.test('a staged file without faults is committed', async (t) => {
    t.equal(await commit('export const one = 1\n'), 'committed')
  })
})
