/** Cursors are read as written, and other text is refused. */
import fc from 'fast-check'
import t from 'tap'
import { readCursor, writeCursor } from '../../../src/platform/text/cursor.ts'

t.test('the key in a cursor is read back unchanged', async (t) => {
  const key = fc.tuple(
    fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    fc.maxSafeInteger(),
  )
  fc.assert(
    fc.property(key, (key) => {
      t.same(readCursor(writeCursor(key), ['string', 'number']), key)
    }),
  )
})

t.test('text that is not a cursor of these types is refused', async (t) => {
  for (const key of [[1], [1, 'a'], ['a', 1.5], ['a\0', 1], ['\ud800', 1], ['a', 1, 2], ['a', null]])
    t.equal(readCursor(writeCursor(key as never), ['string', 'number']), null)
  fc.assert(fc.property(fc.string(), (text) => readCursor(text, ['number', 'string', 'number']) === null))
})
