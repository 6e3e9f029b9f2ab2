/**
 * Every number in a request has an upper bound: without one, a number too large for PostgreSQL would cause a
 * 500.
 */
import t from 'tap'
import { build } from '../helper.ts'

type Schema = {
  $ref?: string
  type?: string
  maximum?: number
  exclusiveMaximum?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
type Operation = {
  operationId: string
  parameters?: { name: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Document = { paths: Record<string, Record<string, Operation>> }

t.test('every number of every request has an upper bound', async (t) => {
  const { app } = await build(t)
  const document = app.swagger() as unknown as Document
  const resolve = (ref: string) =>
    ref
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document) as Schema

  /** For each number within a schema, its place, and whether it has an upper bound. */
  function numbersIn(schema: Schema, at: string): [place: string, isBounded: boolean][] {
    if (schema.$ref) return numbersIn(resolve(schema.$ref), at)
    const { type, maximum, exclusiveMaximum, properties = {}, items, anyOf = [] } = schema
    const isNumber = type === 'integer' || type === 'number'
    return [
      ...(isNumber ? [[at, (maximum ?? exclusiveMaximum) !== undefined] as [string, boolean]] : []),
      ...Object.entries(properties).flatMap(([name, part]) => numbersIn(part, `${at}.${name}`)),
      ...(items ? numbersIn(items, `${at}[]`) : []),
      ...anyOf.flatMap((part) => numbersIn(part, at)),
    ]
  }

  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const numbers = operations.flatMap(({ operationId, parameters = [], requestBody }) => [
    ...parameters.flatMap(({ name, schema }) => numbersIn(schema, `${operationId} ${name}`)),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => numbersIn(schema, operationId)),
  ])
  t.ok(numbers.length > 50)
  t.same(
    numbers.filter(([, isBounded]) => !isBounded).map(([place]) => place),
    [],
  )
})
