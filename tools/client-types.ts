/** The types of the client for partners, made from the OpenAPI document by openapi-typescript. */
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { projectPath } from '../src/platform/project/paths.ts'
import type { OpenApiDocument, Operation, Schema } from './openapi-document.ts'

export const clientTypesFile = projectPath('clients', 'typescript', 'schema.d.ts')

const heading = `// Made from the OpenAPI document by \`npm run client\`. Do not edit it.
// test/clients/typescript.test.ts compares it with the document.

`
const problemType = 'application/problem+json'
const problem = '#/components/schemas/Problem'

/** The text of `schema.d.ts`: the operations for partners and for usage. */
export async function makeClientTypes(document: OpenApiDocument): Promise<string> {
  const { default: openapiTS, astToString } = await loadGenerator()
  return heading + astToString(await openapiTS(forClients(document), { defaultNonNullable: false }))
}

type Generator = {
  default: (document: object, options: { defaultNonNullable: boolean }) => Promise<unknown>
  astToString: (nodes: unknown) => string
}

/**
 * Bundles openapi-typescript into one file, with the TypeScript API that it needs to print types, and loads
 * that file.
 */
async function loadGenerator(): Promise<Generator> {
  const outfile = projectPath('dist', 'tools', 'openapi-typescript.cjs')
  await build({
    entryPoints: ['openapi-typescript'],
    absWorkingDir: projectPath(),
    alias: { typescript: './dist/tools/typescript-api.js' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'warning',
    outfile,
  })
  return createRequire(import.meta.url)(outfile)
}

/**
 * The part of the document that clients use. All errors have one type with the members of every problem, so
 * that code can read `error.Alternatives` without checking the status first.
 */
function forClients({ openapi, info, paths }: OpenApiDocument): object {
  const chosen = Object.entries(paths).filter(([path]) => /^\/api\/v2\/(ota|usage)\//.test(path))
  const operations = chosen.flatMap(([, methods]) => Object.values(methods))
  const problems = operations.flatMap(listProblems)
  const properties = Object.assign({}, ...problems.map((schema) => schema.properties))
  const Problem = { ...problems[0], properties }
  return {
    openapi,
    info,
    paths: Object.fromEntries(chosen.map(([path, methods]) => [path, simplify(methods)])),
    components: { schemas: { Problem } },
  }
}

function listProblems({ responses }: Operation): Schema[] {
  const schemas = Object.values(responses).map(({ content }) => content?.[problemType]?.schema)
  return schemas.filter((schema) => schema !== undefined)
}

/**
 * Returns a copy in which every problem has the same type. Removes `anyOf` lists that only say which members are
 * required, because openapi-typescript would make types of them that accept any body.
 */
function simplify<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (name, part) => {
    if (name === problemType) return { schema: { $ref: problem } }
    if (part?.anyOf?.every?.(requiresOnly)) {
      const { anyOf: _, ...rest } = part
      return rest
    }
    return part
  })
}

function requiresOnly(schema: Schema): boolean {
  return Object.keys(schema).join() === 'required'
}
