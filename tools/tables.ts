/** `npm run tables`: writes the tables of documents that are made from the source. */
import { readFile, writeFile } from 'node:fs/promises'
import { projectPath } from '../src/platform/project/paths.ts'
import { replaceTable, tables } from './document-tables.ts'

for (const table of tables) {
  const file = projectPath('docs', table.document)
  await writeFile(file, replaceTable(await readFile(file, 'utf8'), table))
  process.stdout.write(`Wrote the table of docs/${table.document}.\n`)
}
