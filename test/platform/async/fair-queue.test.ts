/** Owners of queued items take turns: no owner waits until all items of another are taken. */
import fc from 'fast-check'
import t from 'tap'
import { createFairQueue, type Measure } from '../../../src/platform/async/fair-queue.ts'

type Item = { owner: string; number: number; size: Measure }

const itemsOf = (most: number) =>
  fc
    .array(fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd'), count: fc.nat(5), bytes: fc.nat(50) }), {
      maxLength: most,
    })
    .map((given) =>
      given.map(({ owner, count, bytes }, number): Item => ({ owner, number, size: { count, bytes } })),
    )

function fill(items: Item[]) {
  const queue = createFairQueue<Item>()
  for (const item of items) queue.push(item.owner, item)
  return queue
}

const sumOf = (items: Item[]) => ({
  count: items.reduce((sum, { size }) => sum + size.count, 0),
  bytes: items.reduce((sum, { size }) => sum + size.bytes, 0),
})
const upTo = (most: number) => (sum: Measure) => sum.count <= most

t.test('every item is taken once, and the items of one owner in the order in which they came', async () => {
  fc.assert(
    fc.property(itemsOf(60), fc.array(fc.nat(12), { maxLength: 10 }), (items, batches) => {
      const queue = fill(items)
      const taken = batches.flatMap((most) => queue.take(upTo(most)))
      taken.push(...queue.take(() => true))
      const inOrder = taken.toSorted((one, other) => one.number - other.number)
      const ofOwner = (owner: string) => taken.filter((item) => item.owner === owner)
      return (
        inOrder.every((item, index) => item === items[index]) &&
        inOrder.length === items.length &&
        ['a', 'b', 'c', 'd'].every((owner) =>
          ofOwner(owner).every(({ number }, index, all) => index === 0 || all[index - 1]!.number < number),
        )
      )
    }),
  )
})

t.test('between two items of an owner, each other waiting owner has exactly one', async () => {
  fc.assert(
    fc.property(itemsOf(60), fc.array(fc.nat(12), { maxLength: 40 }), (items, batches) => {
      const queue = fill(items)
      const left = new Map<string, number>()
      for (const { owner } of items) left.set(owner, (left.get(owner) ?? 0) + 1)
      const since = new Map<string, string[]>()
      return batches
        .flatMap((most) => queue.take(upTo(most)))
        .every(({ owner }) => {
          const others = since.get(owner) ?? []
          const due = [...left].filter(([other, items]) => other !== owner && items > 0)
          const fair = !since.has(owner) || due.every(([other]) => others.includes(other))
          const once = new Set(others).size === others.length
          left.set(owner, left.get(owner)! - 1)
          since.set(owner, [])
          for (const [other, seen] of since) if (other !== owner) seen.push(owner)
          return fair && once
        })
    }),
  )
})

t.test(
  'a batch has only items that fit, or one item that does not; the load is that of the remaining items',
  async () => {
    fc.assert(
      fc.property(itemsOf(40), fc.nat(12), (items, most) => {
        const queue = fill(items)
        const taken = queue.take(upTo(most))
        const left = items.filter((item) => !taken.includes(item))
        const ofA = sumOf(left.filter(({ owner }) => owner === 'a'))
        return (
          (taken.length <= 1 || sumOf(taken).count <= most) &&
          (items.length === 0 || taken.length > 0) &&
          queue.length === left.length &&
          JSON.stringify([queue.load, queue.loadOf('a')]) === JSON.stringify([sumOf(left), ofA])
        )
      }),
    )
  },
)
