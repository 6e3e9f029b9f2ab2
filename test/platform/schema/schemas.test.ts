/** The schemas themselves, which processes do not check when they start. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { configSchema } from '../../../src/platform/config/config-schema.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'

/** The schemas that modules named `schemas` export, by module and name, and the schema of the configuration. */
async function readSchemas(): Promise<Map<string, object>> {
  const root = projectPath('dist', 'src')
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('/schemas.js'))
  const schemas = new Map<string, object>([['configSchema', configSchema]])
  for (const name of names)
    for (const [exported, value] of Object.entries(await import(path.join(root, name))))
      if (isSchema(value)) schemas.set(`${name} ${exported}`, value)
  return schemas
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value)
}

t.test('each schema is a valid JSON Schema', async (t) => {
  const ajv = new Ajv2020({ logger: false })
  const schemas = await readSchemas()
  t.ok(schemas.size > 40, `${schemas.size} schemas were read`)
  for (const [name, schema] of schemas) t.ok(ajv.validateSchema(schema), name)
  t.notOk(ajv.validateSchema({ type: 'strng' }))
})
