/** Finds the previous version in the Git history, and builds it in a separate folder. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectPath } from '../../src/platform/project/paths.ts'

const run = promisify(execFile)

export type Build = {
  folder: string
  /** Runs the command line of the build. @returns what it printed. @throws when it fails. */
  cli(environment: Record<string, string>, ...args: string[]): Promise<string>
}

export type Previous = { commit: string; why: string }

/** Databases of versions without this migration cannot be upgraded. */
const firstMigration = 'sql/101.do.foundation.sql'

/**
 * Finds the commit that `named` names. Without a name, finds the newest tag before HEAD. While there is no tag, finds
 * the commit before the one that added the newest migration. If there is no version to upgrade from, returns the reason
 * as a string.
 */
export async function findPrevious(named?: string): Promise<Previous | string> {
  const found = named ? await namedVersion(named) : await newestVersion()
  if (!found)
    return named
      ? `Git knows no commit ${named} in this clone`
      : 'the Git history of this clone contains no earlier version'
  const isUpgradable = await git('ls-tree', found.commit, '--', firstMigration)
  const version = `${found.commit.slice(0, 7)}, ${found.why},`
  return isUpgradable ? found : `${version} has no ${firstMigration}, and its databases cannot be upgraded`
}

async function namedVersion(name: string): Promise<Previous | null> {
  const commit = await git('rev-parse', '--verify', `${name}^{commit}`)
  return commit ? { commit, why: `named ${name}` } : null
}

async function newestVersion(): Promise<Previous | null> {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD~1')
  if (tag) return { commit: (await git('rev-parse', `${tag}^{commit}`))!, why: `tagged ${tag}` }
  // Follow only first parents: a commit within a branch was never a version.
  const ofVersions = ['--first-parent', '--diff-merges=first-parent', '--no-patch']
  const migrations = 'sql/*.do.*.sql'
  const added = await git('log', '-1', ...ofVersions, '--diff-filter=A', '--format=%H', '--', migrations)
  const commit = added && (await git('rev-parse', '--verify', `${added}^`))
  return commit ? { commit, why: 'before the newest migration, since nothing is tagged yet' } : null
}

/**
 * Extracts the sources of the commit, installs the libraries that they name, and builds the sources. @throws when the
 * build fails.
 */
export async function buildOf(commit: string, parent: string): Promise<Build> {
  const folder = path.join(parent, 'previous')
  const archive = path.join(parent, 'previous.tar')
  await mkdir(folder)
  await run('git', ['archive', '--format=tar', `--output=${archive}`, commit], { cwd: projectPath() })
  await run('tar', ['-xf', archive, '-C', folder])
  // The installation also builds the sources.
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
  return {
    folder,
    async cli(environment, ...args) {
      const env = { PATH: process.env.PATH, ...environment }
      const { stdout } = await run(process.execPath, [path.join(folder, 'dist', 'src', 'cli.js'), ...args], {
        env,
      })
      return stdout
    },
  }
}

/** The output of Git; null if it fails or prints nothing. */
function git(...args: string[]): Promise<string | null> {
  return run('git', args, { cwd: projectPath() }).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  )
}
