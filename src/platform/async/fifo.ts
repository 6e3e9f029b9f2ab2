/**
 * A first-in, first-out queue. An array would be slow: its shift() copies all other items of a long array.
 */

/**
 * A class, because many are made for each request: an object of closures takes several times as much time and
 * memory.
 */
export class Fifo<T> {
  private items: T[] = []
  private removed = 0

  push(item: T): void {
    this.items.push(item)
  }

  /** Puts an item in front of all others. */
  unshift(item: T): void {
    if (this.removed > 0) this.items[--this.removed] = item
    else this.items.unshift(item)
  }

  first(): T | undefined {
    return this.items[this.removed]
  }

  shift(): T | undefined {
    const item = this.items[this.removed++]
    // Copies only when at least half of the array is gone, so for each removed item at most one item is copied.
    if (2 * this.removed >= this.items.length) {
      this.items = this.items.slice(this.removed)
      this.removed = 0
    }
    return item
  }

  forEach(visit: (item: T) => void): void {
    for (let place = this.removed; place < this.items.length; place++) visit(this.items[place]!)
  }

  get length(): number {
    return this.items.length - this.removed
  }
}
