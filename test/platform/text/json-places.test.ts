/** Places in JSON text. */
import fc from 'fast-check'
import t from 'tap'
import {
  findPlaces,
  findRepeatedFields,
  findSyntaxErrors,
  findTooDeep,
  toPointer,
} from '../../../src/platform/text/json-places.ts'

/** All pointers into a document, except that of the whole. */
function pointersOf(value: unknown, path: (string | number)[] = []): string[] {
  if (typeof value !== 'object' || value === null) return []
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return parts.flatMap(([key, part]) => [toPointer([...path, key]), ...pointersOf(part, [...path, key])])
}

t.test('every field and item of a document has its own place, where its name or value begins', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (document) => {
      const text = JSON.stringify(document, null, 1)
      // The pointers come from the text, because findPlaces() reads the text and not the document.
      const pointers = pointersOf(JSON.parse(text))
      const placeOf = findPlaces(text, pointers)
      const lines = text.split('\n')
      for (const pointer of pointers) {
        const { line, column } = placeOf(pointer)
        const [name = ''] = pointer.split('/').slice(-1)
        const key = JSON.stringify(name.replaceAll('~1', '/').replaceAll('~0', '~'))
        const rest = lines[line - 1]!.slice(column - 1)
        t.ok(rest.startsWith(`${key}:`) || /^\d+$/.test(name), `${pointer} at ${line}:${column}`)
        t.equal(lines[line - 1]!.slice(0, column - 1).trim(), '')
        t.same(
          findPlaces(text, [pointer])(pointer),
          { line, column },
          'also when only this pointer is looked up',
        )
      }
      const places = pointers.map((pointer) => Object.values(placeOf(pointer)).join())
      t.equal(new Set(places).size, pointers.length)
    }),
    { numRuns: 200 },
  )
})

t.test('JSON has no syntax errors, and other text has at least one', async (t) => {
  fc.assert(fc.property(fc.json(), (text) => t.same(findSyntaxErrors(text), [])))
  for (const text of [
    '',
    '[1,]',
    "{'a': 1}",
    '{"a": 01}',
    '[1 2]',
    '// no\n[]',
    '["\\q"]',
    '["\t"]',
    '[tru]',
    '[] []',
  ])
    t.ok(findSyntaxErrors(text).length > 0, text)
})

t.test('the first syntax error of each line is reported in plain words', async (t) => {
  t.same(findSyntaxErrors('{"a": 1\n"b": 2,\r\n"c" 3 4}'), [
    { line: 2, column: 1, message: 'a comma is missing here' },
    { line: 3, column: 5, message: 'a colon is missing here' },
  ])
})

t.test('for text that is not JSON in any line, only the first hundred errors are reported', async (t) => {
  const errors = findSyntaxErrors('x\n'.repeat(100_000))
  t.equal(errors.length, 100)
  t.match(errors.at(-1), { line: 100, column: 1 })
})

t.test('a field is repeated only within its own object', async (t) => {
  t.same(findRepeatedFields('[{"a": {"a": 1}}, {"a": 1}]'), [])
  t.same(findRepeatedFields('[{"a/b": 1,\n\t"\\u0061/b": 2}]'), [{ pointer: '/0/a~1b', line: 2, column: 2 }])
})

t.test('a pointer to a missing value has the place of the object that lacks it', async (t) => {
  const placeOf = findPlaces('{\n "a": [{}]\n}', ['/a/0/b/c', '/x'])
  t.same(placeOf('/a/0/b/c'), { line: 2, column: 8 })
  t.same(placeOf('/x'), { line: 1, column: 1 })
})

t.test('nesting is counted outside of strings, and reported where it is too deep', async (t) => {
  t.equal(findTooDeep('["[[[[\\"[", {"a": []}, []]', 3), null)
  t.same(findTooDeep('[\r\n[], "{",\n {"a": []}]', 2), { line: 3, column: 8 })
})
