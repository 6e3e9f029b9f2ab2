/** Links of the documents lead somewhere. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { anchorsOf, listDocuments, readDocument, withoutCode } from './documents.ts'

const documents = await listDocuments()
const texts = new Map(
  await Promise.all(documents.map(async (name) => [name, await readDocument(name)] as const)),
)
const links = [...texts].flatMap(([document, text]) =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ document, target })),
)
const isExternal = (target: string) => /^[a-z]+:/.test(target)

t.test('every relative link names a file or a folder that is there', async (t) => {
  t.ok(links.length > 150, 'the links were read')
  for (const { document, target } of links.filter(({ target }) => !isExternal(target))) {
    const [file = ''] = target.split('#')
    const place = path.join(path.dirname(document), file)
    t.ok(file === '' || existsSync(projectPath(place)), `${document}: ${target}`)
  }
})

t.test('every anchor is that of a heading', async (t) => {
  const anchored = links.filter(({ target }) => !isExternal(target) && target.includes('#'))
  t.ok(anchored.length > 40, 'there are anchors')
  for (const { document, target } of anchored) {
    const [file, anchor = ''] = target.split('#')
    const text = texts.get(file ? path.join(path.dirname(document), file) : document)
    t.ok(text !== undefined && anchorsOf(text).has(anchor), `${document}: ${target}`)
  }
})

t.test('every external link is a complete address with TLS', async (t) => {
  for (const { document, target } of links.filter(({ target }) => isExternal(target))) {
    const url = URL.canParse(target) ? new URL(target) : null
    t.ok(url?.protocol === 'https:' && url.hostname.includes('.'), `${document}: ${target}`)
  }
})

t.test('every document is in the index or is one', async (t) => {
  const index = links.filter(({ document }) => document === 'docs/README.md')
  const listed = new Set(index.map(({ target }) => path.join('docs', target.split('#')[0]!)))
  const inDocs = documents.filter((name) => name.startsWith('docs/') && !name.endsWith('README.md'))
  t.same(
    inDocs.filter((name) => !name.startsWith('docs/decisions/') && !listed.has(name)),
    [],
  )
})
