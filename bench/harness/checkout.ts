/** Another commit of this project, built in a folder of its own. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectPath } from '../../src/platform/project/paths.ts'
import type { Build } from './processes.ts'

/** `commit` is the short hash, whose length git chooses; `hash` is the full one. */
export type Checkout = { commit: string; hash: string; root: string; remove(): Promise<void> }

const run = promisify(execFile)

/** Needs the network only if the commit has other packages, or other patches of them, than this checkout. */
export async function buildCheckout(name: string): Promise<Checkout> {
  const hash = await git('rev-parse', `${name}^{commit}`)
  const commit = await git('rev-parse', '--short', hash)
  const root = await mkdtemp(path.join(tmpdir(), `abs-${commit}-`))
  const remove = () => rm(root, { recursive: true, force: true })
  try {
    const archive = path.join(root, 'commit.tar')
    await git('archive', '--format=tar', '-o', archive, commit)
    await run('tar', ['-xf', archive, '-C', root])
    if (await hasSamePackages(commit)) {
      await symlink(projectPath('node_modules'), path.join(root, 'node_modules'))
      await run('npm', ['run', '--silent', 'build'], { cwd: root })
    } else await run('npm', ['ci', '--prefer-offline'], { cwd: root })
    return { commit, hash, root, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Brings a database to the schema of a build. */
export async function migrateWith({ root, node }: Build, databaseUrl: string): Promise<void> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl }
  await run(node, [path.join(root, 'dist', 'src', 'cli.js'), 'migrate'], { env })
}

export async function versionOf(node: string): Promise<string> {
  return (await run(node, ['--version'])).stdout.trim()
}

async function hasSamePackages(commit: string): Promise<boolean> {
  const locked = await git('show', `${commit}:package-lock.json`)
  const here = (await readFile(projectPath('package-lock.json'), 'utf8')).trim()
  return locked === here && (await git('diff', '--name-only', commit, '--', 'patches')) === ''
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', projectPath(), ...args], { maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}
