/** The scales of charts, and the text that a chart has without JavaScript. */
import fc from 'fast-check'
import t from 'tap'
import { columnChart } from '../../src/dashboard/parts/chart.ts'
import { namedColumns, ticksUpTo } from '../../src/dashboard/parts/chart-scale.ts'

t.test('ticks', async (t) => {
  t.test('go up by 1, 2 or 5 times a power of ten', async (t) => {
    t.same(ticksUpTo(2785), [0, 1000, 2000, 3000])
    t.same(ticksUpTo(10), [0, 2, 4, 6, 8, 10])
    t.same(ticksUpTo(0.3), [0, 0.1, 0.2, 0.3])
    t.same(ticksUpTo(1), [0, 0.2, 0.4, 0.6, 0.8, 1])
    t.same(ticksUpTo(0), [0, 1])
  })

  t.test('reach any value in at most five steps, and exceed it by less than one step', async () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (most) => {
        const ticks = ticksUpTo(most)
        const top = ticks.at(-1)!
        const step = ticks[1]!
        return (
          ticks.length <= 6 &&
          top >= most * (1 - 1e-6) &&
          top - step < most &&
          /^[125]0*(e|$|\.)/.test(digitsOf(step))
        )
      }),
    )
  })

  /** The digits of a number, without zeros at either end and without an exponent. */
  function digitsOf(value: number): string {
    return value
      .toPrecision(12)
      .replace(/^0?\.?0*/, '')
      .replace(/\.?0*(e.*)?$/, '')
  }
})

t.test(
  'the columns that have a name below them begin with the first, and are never more than there is room for',
  async (t) => {
    t.same(namedColumns(30, 8), [0, 4, 8, 12, 16, 20, 24, 28])
    t.same(namedColumns(3, 8), [0, 1, 2])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 12 }), (count, most) => {
        const named = namedColumns(count, most)
        return named.length <= most && named[0] === 0 && named.at(-1)! < count
      }),
    )
  },
)

t.test('each column has its figures as text, and a column of 0 has no height', async (t) => {
  const columns = [
    { label: 'Monday: 5. A week before: 10', name: '3 Jun', value: 5, before: 10 },
    { label: 'Tuesday: <0>', name: '4 Jun', value: 0, before: 0 },
  ]
  const key = { now: 'Revenue', before: 'A week before' }
  const { text } = columnChart({ title: 'A chart', columns, write: String, key })
  t.match(text, '<title>Monday: 5. A week before: 10</title>')
  t.match(text, '<title>Tuesday: &#60;0&#62;</title>')
  t.match(text, /class="bar"[^>]* y="50%" height="50%"/)
  t.match(text, /class="bar"[^>]* y="100%" height="0%"/)
  t.equal([...text.matchAll(/<line class="before"/g)].length, 1)
  t.match(text, /<li>10<\/li><li>8<\/li>/)
  t.notMatch(text, /style=/)
})
