/** Tables of documents that are made from the source. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { replaceTable, tables } from '../../tools/document-tables.ts'

for (const table of tables) {
  const { document, rows } = table
  t.test(`docs/${document} has the table made from the source; \`npm run tables\` writes it`, async (t) => {
    const text = await readFile(projectPath('docs', document), 'utf8')
    t.equal(replaceTable(text, table), text)
    t.ok(rows().length > 30)
  })
}

t.test('the rows of a table at the end of a document are replaced too', async (t) => {
  const text = 'before\n\n| a |\n|---|\n| 1 |\n| 2 |'
  const replaced = replaceTable(text, { head: '| a |', rows: () => [['3']] })
  t.equal(replaced, 'before\n\n| a |\n|---|\n| 3 |')
})

t.test('the rows of a table are replaced, and the text around it stays', async (t) => {
  const text = 'before\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nbehind\n'
  const replaced = replaceTable(text, { head: '| a | b |', rows: () => [['x | y', 'z']] })
  t.equal(replaced, 'before\n\n| a | b |\n|---|---|\n| x \\| y | z |\n\nbehind\n')
  t.throws(() => replaceTable(text, { head: '| c |', rows: () => [] }), /no table begins with \| c \|/)
})
