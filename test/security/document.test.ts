/** docs/security.md names only files and tests that exist. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'

const text = (await readFile(projectPath('docs', 'security.md'), 'utf8')).replace(/\s+/g, ' ')
const read = (name: string) => readFile(projectPath(name), 'utf8').catch(() => null)

t.test('every file that docs/security.md names exists', async (t) => {
  const named = [...text.matchAll(/`((?:src|test|sql|docs)\/[\w./-]+\.\w+|[\w-]+\.json)`/g)].map(
    ([, name]) => name!,
  )
  t.ok(named.length > 100)
  for (const name of new Set(named)) t.ok((await read(name)) !== null, name)
})

t.test('every subtest that docs/security.md names is in its file', async (t) => {
  // A file, followed by the names of subtests, each in quotation marks.
  const shown = [...text.matchAll(/`(test\/[\w./-]+)`((?:,? “[^”]+”)+)/g)]
  t.ok(shown.length > 50)
  for (const [, name = '', quoted = ''] of shown) {
    const source = (await read(name)) ?? ''
    for (const [, subtest = ''] of quoted.matchAll(/“([^”]+)”/g))
      t.match(
        source,
        new RegExp(`['\`]${subtest.replace(/[.*+?^$()|[\]{}]/g, '\\$&')}['\`,]`),
        `${name}: ${subtest}`,
      )
  }
})

t.test('every threat in docs/security.md names a test, except those checked by reading', async (t) => {
  const lines = (await readFile(projectPath('docs', 'security.md'), 'utf8')).split('\n')
  const rows = lines.filter((line) => /^\| (?:[STRIDE]|API\d+ .*?) \|/.test(line))
  t.ok(rows.length > 45)
  for (const row of rows) t.match(row, /`test\/|by reading/, row.slice(0, 60))
})
