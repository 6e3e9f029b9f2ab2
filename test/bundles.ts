/**
 * The test files, gathered into few: a process takes longer to load the service than most files take to test it. A
 * file keeps nothing outside its tests, so that it does not matter which others share its process.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectPath } from '../src/platform/project/paths.ts'

type Bundle = { files: string[]; bytes: number }

// Few enough that loading is cheap, enough that no processor is idle while the last one runs.
const bundles = 12

/** Writes the bundles, of about the same length each; gives their paths. */
export async function bundleTests(): Promise<string[]> {
  const root = projectPath('dist', 'test')
  const folder = path.join(root, 'bundles')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const written = share(await listTests(root)).map(async ({ files }, index) => {
    const file = path.join(folder, `${String(index + 1).padStart(2, '0')}.test.js`)
    await writeFile(file, files.map((test) => `import '../${test}'\n`).join(''))
    return path.relative(projectPath(), file)
  })
  return Promise.all(written)
}

type TestFile = { name: string; bytes: number }

async function listTests(root: string): Promise<TestFile[]> {
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.test.js'))
  return Promise.all(
    names.sort().map(async (name) => ({ name, bytes: (await stat(path.join(root, name))).size })),
  )
}

/** The longest first, each to the bundle that is the shortest by then. */
function share(files: TestFile[]): Bundle[] {
  const shares = Array.from({ length: bundles }, (): Bundle => ({ files: [], bytes: 0 }))
  for (const { name, bytes } of files.toSorted((one, other) => other.bytes - one.bytes)) {
    const shortest = shares.reduce((least, one) => (one.bytes < least.bytes ? one : least))
    shortest.files.push(name)
    shortest.bytes += bytes
  }
  return shares
}
