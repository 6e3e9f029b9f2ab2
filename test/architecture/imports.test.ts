import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import {
  betweenFolders,
  findCycles,
  findLayerViolations,
  type Imports,
  listTypes,
  readImports,
} from './imports.ts'

const imports = await readImports(projectPath(), ['src', 'workers'])

t.test('no file imports itself through other files, not even for a type', async (t) => {
  t.ok(imports.size > 300, 'the sources were read')
  t.same(findCycles(imports), [])
})

t.test('no folder imports itself through other folders', async (t) => {
  t.same(findCycles(betweenFolders(imports)), [])
})

t.test('imports go from the higher layers to the lower ones', async (t) => {
  t.same(findLayerViolations(imports), [])
})

t.test('an import cycle, and an import from a lower layer to a higher one, are found', async (t) => {
  const made: Imports = new Map([
    ['src/inventory/a.ts', ['src/sales/basket/b.ts']],
    ['src/sales/basket/b.ts', ['src/sales/basket/c.ts']],
    ['src/sales/basket/c.ts', ['src/inventory/a.ts']],
  ])
  t.same(findCycles(made), [
    ['src/inventory/a.ts', 'src/sales/basket/b.ts', 'src/sales/basket/c.ts', 'src/inventory/a.ts'],
  ])
  t.same(findCycles(betweenFolders(made)), [['src/inventory', 'src/sales/basket', 'src/inventory']])
  t.same(findLayerViolations(made), ['src/inventory/a.ts -> src/sales/basket/b.ts'])
})

t.test('each type name is declared in one file', async (t) => {
  const files = new Map<string, string[]>()
  for (const { name, file } of await listTypes(projectPath(), ['src', 'workers']))
    files.set(name, [...(files.get(name) ?? []), file])
  t.ok(files.size > 300, 'the declarations were read')
  t.same(
    [...files].filter(([, declaring]) => declaring.length > 1),
    [],
  )
})
