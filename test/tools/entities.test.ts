/** docs/entities.md has the tables of sql/schema.sql. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { drawEntities } from '../../tools/entity-diagrams.ts'

const schema = await readFile(projectPath('sql', 'schema.sql'), 'utf8')

t.test('the diagrams match the schema; `npm run entities` writes them', async (t) => {
  t.equal(drawEntities(schema), await readFile(projectPath('docs', 'entities.md'), 'utf8'))
})

t.test('a table without a place in a diagram is refused by its name', async (t) => {
  const more = `${schema}\nCREATE TABLE kayaks (\n  id bigint NOT NULL,\n  CONSTRAINT kayaks_pkey PRIMARY KEY (id)\n);\n`
  t.throws(() => drawEntities(more), /kayaks/)
})
