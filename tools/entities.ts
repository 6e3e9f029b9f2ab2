/** `npm run entities`: writes docs/entities.md from sql/schema.sql. */
import { readFile, writeFile } from 'node:fs/promises'
import { projectPath } from '../src/platform/project/paths.ts'
import { drawEntities } from './entity-diagrams.ts'

const schema = await readFile(projectPath('sql', 'schema.sql'), 'utf8')
await writeFile(projectPath('docs', 'entities.md'), drawEntities(schema))
process.stdout.write('Wrote docs/entities.md.\n')
