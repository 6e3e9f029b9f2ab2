/** The count of the values in a body, which is compared with the limit before the JSON is parsed. */
import fc from 'fast-check'
import t from 'tap'
import { hasMoreValues } from '../../src/http/json-body.ts'

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  return Math.max(1, members.length) + members.reduce<number>((sum, member) => sum + count(member), 0)
}

t.test('the values in a JSON body are counted correctly, with any characters in its strings', async () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '[,{', '\\\\', '",', '\u2028'))
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.array(tie('value')),
      fc.dictionary(text, tie('value')),
    ),
  })).value
  fc.assert(
    fc.property(json, fc.boolean(), (value, spaced) => {
      const body = JSON.stringify(value, null, spaced ? 2 : 0).padEnd(1000)
      const values = count(value)
      return !hasMoreValues(body, values) && (values === 0 || hasMoreValues(body, values - 1))
    }),
  )
})

t.test('values are counted even in text that is not JSON', async (t) => {
  for (const part of ['[', '{', ',', '[]', '{},', '"x",']) t.ok(hasMoreValues(part.repeat(1000), 999), part)
  for (const text of ['"[[[[[[', '\\'.repeat(1000), '"\\'.repeat(500), '   '])
    t.notOk(hasMoreValues(text.padEnd(1000), 0), text.slice(0, 8))
})
