/** The JSON Schema and the example that the project ships. */
import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import t from 'tap'
import { checkRules } from '../../../src/catalogue/file/model.ts'
import { checkShape, sketch } from '../../../src/catalogue/file/parse.ts'
import { type CatalogueFile, publishedSchema } from '../../../src/catalogue/file/schemas.ts'
import { questionTypes } from '../../../src/catalogue/schemas.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'
import { catalogue } from './fixtures.ts'

async function readDocument(name: string): Promise<unknown> {
  return JSON.parse(await readFile(projectPath('docs', name), 'utf8'))
}

t.test('docs/catalogue.schema.json is the schema in use', async (t) => {
  // Written by: npm run --silent cli -- catalogue schema > docs/catalogue.schema.json; npx biome format --write docs
  t.strictSame(await readDocument('catalogue.schema.json'), publishedSchema())
})

t.test('another strict validator accepts the schema and applies it', async (t) => {
  const ajv = new Ajv2020({ strict: true, validateSchema: true })
  formatsModule.default(ajv)
  const validate = ajv.compile(publishedSchema() as object)
  t.ok(validate(await readDocument('catalogue.example.json')), JSON.stringify(validate.errors))
  t.ok(validate(catalogue({})))
  t.notOk(validate({ Products: [{ Name: 'Nothing else' }] }))
})

t.test('the example is valid, with every question type, translations and a hidden product', async (t) => {
  const document = (await readDocument('catalogue.example.json')) as CatalogueFile
  t.same([...checkShape(document), ...checkRules(sketch(document, []))], [])
  t.ok(document.Products.length >= 6)
  t.ok(document.Products.some(({ InShopfront }) => !InShopfront))
  t.ok(document.Products.some(({ Timeslots = [] }) => Timeslots.length > 0))
  const translated = document.Products.filter(({ Translations = [] }) => Translations.length > 0)
  t.ok(translated.some(({ Translations }) => Translations!.every(({ Description }) => Description)))
  t.ok(
    translated.some(({ Translations }) => Translations!.some(({ Description }) => !Description)),
    'one translation has no description',
  )
  const asked = new Set(document.Products.flatMap(({ Questions = [] }) => Questions.map(({ Type }) => Type)))
  t.same(
    questionTypes.filter((type) => !asked.has(type)),
    [],
    'every type of question',
  )
})
