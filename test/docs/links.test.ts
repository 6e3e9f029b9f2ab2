/** Relative links of the documents lead to existing places, and the files and npm scripts that they name exist. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { anchorsOf, listDocuments, readDocument, withoutCode } from './documents.ts'

const documents = await listDocuments()
const texts = new Map(
  await Promise.all(documents.map(async (name) => [name, await readDocument(name)] as const)),
)
/** All documents but CHANGELOG.md, whose entries name files that existed when they were written. */
const current = [...texts].filter(([document]) => document !== 'CHANGELOG.md')
const links = [...texts].flatMap(([document, text]) =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ document, target })),
)
const isExternal = (target: string) => /^[a-z]+:/.test(target)

t.test('every relative link leads to an existing file or folder', async (t) => {
  t.ok(links.length > 150, 'the links were read')
  for (const { document, target } of links.filter(({ target }) => !isExternal(target))) {
    const [file = ''] = target.split('#')
    const place = path.join(path.dirname(document), file)
    t.ok(file === '' || existsSync(projectPath(place)), `${document}: ${target}`)
  }
})

t.test('every anchor leads to an existing heading', async (t) => {
  const anchored = links.filter(({ target }) => !isExternal(target) && target.includes('#'))
  t.ok(anchored.length > 40, 'there are anchors')
  for (const { document, target } of anchored) {
    const [file, anchor = ''] = target.split('#')
    const text = texts.get(file ? path.join(path.dirname(document), file) : document)
    t.ok(text !== undefined && anchorsOf(text).has(anchor), `${document}: ${target}`)
  }
})

t.test('every file of the project that a document names exists', async (t) => {
  const folders = 'src|workers|assets|sql|patches|test|docs|clients|tools|ops|bench'
  const named = new RegExp(`\`((?:${folders})/[\\w./@-]+\\.\\w+)\``, 'g')
  const files = current.flatMap(([document, text]) =>
    [...text.matchAll(named)].map(([, file = '']) => ({ document, file })),
  )
  t.ok(files.length > 150, 'the names were read')
  for (const { document, file } of files)
    t.ok(existsSync(projectPath(file)) || file.startsWith('sql/NNN'), `${document}: ${file}`)
})

t.test('every npm script that a document names exists', async (t) => {
  const { scripts } = JSON.parse(await readFile(projectPath('package.json'), 'utf8'))
  const named = current.flatMap(([document, text]) =>
    [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w-]*(?::\w+)*)/g)].map(([, script = '']) => ({
      document,
      script,
    })),
  )
  t.ok(named.length > 50, 'the names were read')
  for (const { document, script } of named) t.ok(script in scripts, `${document}: npm run ${script}`)
})

t.test('every external link is a complete https address', async (t) => {
  for (const { document, target } of links.filter(({ target }) => isExternal(target))) {
    const url = URL.canParse(target) ? new URL(target) : null
    t.ok(url?.protocol === 'https:' && url.hostname.includes('.'), `${document}: ${target}`)
  }
})

t.test('docs/README.md lists every document of docs/ except decisions', async (t) => {
  const index = links.filter(({ document }) => document === 'docs/README.md')
  const listed = new Set(index.map(({ target }) => path.join('docs', target.split('#')[0]!)))
  const inDocs = documents.filter((name) => name.startsWith('docs/') && !name.endsWith('README.md'))
  t.same(
    inDocs.filter((name) => !name.startsWith('docs/decisions/') && !listed.has(name)),
    [],
  )
})
