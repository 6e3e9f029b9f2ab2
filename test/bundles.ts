/**
 * Gathers the test files into few bundles, because a process takes longer to load the service than most files
 * take to run. A test file keeps no state outside its tests, so it does not matter which files share a
 * process.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectPath } from '../src/platform/project/paths.ts'

type Bundle = { files: string[]; bytes: number; size: number }

// Few bundles keep loading cheap. Short ones at the end keep all processors busy until the last bundle has run.
const sizes = [...Array(7).fill(4), ...Array(4).fill(2), ...Array(6).fill(1)]
const systemSizes = [1, 1, 1]

/** `system`: tests in a browser, and tests that start other processes. `main`: all others. */
export type TestGroup = 'main' | 'system'

/** Writes the bundles of a group in the order in which they run; returns their paths. */
export async function bundleTests(group: TestGroup): Promise<string[]> {
  const root = projectPath('dist', 'test')
  const folder = path.join(root, 'bundles', group)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const tests = await listTests(root)
  const inBrowser = tests.filter(({ name }) => name.endsWith('.browser.test.js'))
  const ofProcesses = tests.filter(({ name }) => name.endsWith('.system.test.js'))
  const others = tests.filter((test) => !inBrowser.includes(test) && !ofProcesses.includes(test))
  // The tests in a browser share it, so they are together.
  const bundles =
    group === 'system'
      ? [...share(inBrowser, systemSizes), ...share(ofProcesses, systemSizes)]
      : share(others, sizes)
  const written = bundles.map(async ({ files }, index) => {
    const file = path.join(folder, `${String(index + 1).padStart(2, '0')}.test.js`)
    await writeFile(file, files.map((test) => `import '../../${test}'\n`).join(''))
    return path.relative(projectPath(), file)
  })
  return Promise.all(written)
}

type TestFile = { name: string; bytes: number }

/** Lists test files by their sources, because `root` may still have compiled files of deleted sources. */
async function listTests(root: string): Promise<TestFile[]> {
  const sources = await readdir(projectPath('test'), { recursive: true })
  const names = sources
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.ts$/, '.js'))
  return Promise.all(
    names.sort().map(async (name) => ({ name, bytes: (await stat(path.join(root, name))).size })),
  )
}

/** Assigns the files, longest first, each to the bundle that is shortest for its size. */
function share(files: TestFile[], sizes: number[]): Bundle[] {
  const shares = sizes.map((size): Bundle => ({ files: [], bytes: 0, size }))
  for (const { name, bytes } of files.toSorted((one, other) => other.bytes - one.bytes)) {
    const shortest = shares.reduce((least, one) => (filled(one) < filled(least) ? one : least))
    shortest.files.push(name)
    shortest.bytes += bytes
  }
  return shares
}

function filled({ bytes, size }: Bundle): number {
  return bytes / size
}
