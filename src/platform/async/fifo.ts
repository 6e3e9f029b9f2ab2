/** A first-in, first-out queue. The shift() of an array copies all other items once there are tens of thousands. */

/** A class, since one is made for many a request: an object of closures is several times as much to make and to keep. */
export class Fifo<T> {
  private items: T[] = []
  private gone = 0

  push(item: T): void {
    this.items.push(item)
  }

  /** Puts an item in front of all others. */
  unshift(item: T): void {
    if (this.gone > 0) this.items[--this.gone] = item
    else this.items.unshift(item)
  }

  first(): T | undefined {
    return this.items[this.gone]
  }

  shift(): T | undefined {
    const item = this.items[this.gone++]
    // So an item is copied at most once for each item that has gone.
    if (2 * this.gone >= this.items.length) {
      this.items = this.items.slice(this.gone)
      this.gone = 0
    }
    return item
  }

  forEach(visit: (item: T) => void): void {
    for (let place = this.gone; place < this.items.length; place++) visit(this.items[place]!)
  }

  get length(): number {
    return this.items.length - this.gone
  }
}
