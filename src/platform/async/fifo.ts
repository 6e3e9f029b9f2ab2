/** A first-in, first-out queue. The shift() of an array copies all other items once there are tens of thousands. */

export type Fifo<T> = {
  push(item: T): void
  /** Puts an item in front of all others. */
  unshift(item: T): void
  first(): T | undefined
  shift(): T | undefined
  forEach(visit: (item: T) => void): void
  readonly length: number
}

export function createFifo<T>(): Fifo<T> {
  let items: T[] = []
  let gone = 0
  return {
    push: (item) => void items.push(item),
    unshift(item) {
      if (gone > 0) items[--gone] = item
      else items.unshift(item)
    },
    first: () => items[gone],
    shift() {
      const item = items[gone++]
      // So an item is copied at most once for each item that has gone.
      if (2 * gone >= items.length) {
        items = items.slice(gone)
        gone = 0
      }
      return item
    },
    forEach(visit) {
      for (let place = gone; place < items.length; place++) visit(items[place]!)
    },
    get length() {
      return items.length - gone
    },
  }
}
