/** Text on an operator's colour can be read, whatever the colour is. */
import fc from 'fast-check'
import t from 'tap'
import { contrast, readableOn, textOn } from '../../../src/platform/text/colour.ts'

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

t.test('contrasts are those of WCAG', async (t) => {
  t.equal(contrast('#000000', '#ffffff'), 21)
  t.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  t.equal(contrast('#ff0000', '#ff0000'), 1)
})

t.test('text on any colour is black or white, and can be read', async (t) => {
  t.same([textOn('#0a5bb0'), textOn('#ffd500')], ['#ffffff', '#000000'])
  fc.assert(fc.property(colours, (colour) => contrast(colour, textOn(colour)) >= 4.5))
})

t.test(
  'a colour that is not readable on a background is changed until it is; a readable one is kept',
  async (t) => {
    t.equal(readableOn('#0a5bb0', '#ffffff'), '#0a5bb0')
    t.not(readableOn('#ffd500', '#ffffff'), '#ffd500')
    const backgrounds = fc.constantFrom('#ffffff', '#1a2534')
    fc.assert(
      fc.property(colours, backgrounds, (colour, background) => {
        return contrast(readableOn(colour, background), background) >= 4.5
      }),
    )
  },
)
