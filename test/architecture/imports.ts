/** Reads the imports of the source files, and finds those that violate the order of the layers, and cycles. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A file, relative to the project, with the files that it imports. Imports of types are included. */
export type Imports = Map<string, string[]>

/**
 * The layers, from the lowest to the highest. A folder may import folders of lower layers, and none of its own layer.
 * A name is a folder of src or a file in it; workers/ is in the highest layer.
 */
export const layers: readonly (readonly string[])[] = [
  ['platform'],
  ['languages'],
  ['http', 'queue'],
  ['events'],
  ['accounts'],
  ['inventory'],
  ['catalogue'],
  ['sales', 'metering'],
  ['messaging'],
  ['customers'],
  ['reports'],
  ['test-mode', 'octo'],
  ['metrics.ts', 'secrets-command.ts'],
  ['after-commit.ts'],
  ['services.ts'],
  ['dashboard', 'demo'],
  ['start'],
  ['surfaces'],
  ['app.ts', 'program.ts', 'start.ts'],
  ['server.ts', 'cli.ts', 'workers'],
]

const importing = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.ts)'/g

/** The imports of every TypeScript file below these folders of `root`. */
export async function readImports(root: string, folders: readonly string[]): Promise<Imports> {
  const imports: Imports = new Map()
  for (const folder of folders) {
    const names = await readdir(path.join(root, folder), { recursive: true })
    for (const name of names.filter((name) => name.endsWith('.ts')).sort()) {
      const file = path.join(folder, name)
      const text = await readFile(path.join(root, file), 'utf8')
      const specifiers = [...text.matchAll(importing)].map(([, specifier]) => specifier!)
      const directory = path.dirname(file)
      imports.set(file, [...new Set(specifiers.map((specifier) => path.join(directory, specifier)))])
    }
  }
  return imports
}

/** The imports between the folders of the files. A file directly in src counts as a folder. */
export function betweenFolders(imports: Imports): Imports {
  const folders: Imports = new Map()
  for (const [file, targets] of imports) {
    const others = targets.map(folderOf).filter((folder) => folder !== folderOf(file))
    folders.set(folderOf(file), [...new Set([...(folders.get(folderOf(file)) ?? []), ...others])])
  }
  return folders
}

function folderOf(file: string): string {
  const folder = path.dirname(file)
  return folder === 'src' ? file : folder
}

/** Some of the import cycles, each as a list of its members; empty only if there are none. */
export function findCycles(imports: Imports): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const visit = (node: string, trail: string[]): void => {
    const start = trail.indexOf(node)
    if (start >= 0) {
      cycles.push([...trail.slice(start), node])
      return
    }
    if (done.has(node)) return
    for (const next of imports.get(node) ?? []) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of imports.keys()) visit(node, [])
  return cycles
}

/** Imports against the order of the layers, as `from -> to`. */
export function findLayerViolations(imports: Imports): string[] {
  const rank = new Map(layers.flatMap((names, index) => names.map((name) => [name, index] as const)))
  const nameOf = (file: string) => (file.startsWith('src/') ? file.split('/')[1]! : file.split('/')[0]!)
  const rankOf = (file: string) => rank.get(nameOf(file)) ?? Number.NaN
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => nameOf(target) !== nameOf(file) && !(rankOf(target) < rankOf(file)))
      .map((target) => `${file} -> ${target}`),
  )
}

const declaring = /^(?:export )?(?:declare )?(?:type|interface|class) (\w+)/gm

/**
 * The types, interfaces and classes that each file declares. Indented declarations, which extend types of
 * libraries, are left out.
 */
export async function listTypes(root: string, folders: readonly string[]) {
  const types: { name: string; file: string }[] = []
  for (const folder of folders) {
    const names = await readdir(path.join(root, folder), { recursive: true })
    for (const file of names.filter((name) => name.endsWith('.ts')).map((name) => path.join(folder, name))) {
      const text = await readFile(path.join(root, file), 'utf8')
      for (const [, name] of text.matchAll(declaring)) types.push({ name: name!, file })
    }
  }
  return types
}
