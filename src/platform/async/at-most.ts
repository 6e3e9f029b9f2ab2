/** The bound of a cache that grows with its use. */

/**
 * Options of an LRUCache that keeps at most so many items. Its own `max` allocates the space of all of them
 * at once: 10,000 items take 0.4 MB, and 2 ms in each process and in each test.
 */
export function atMost(items: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: items, sizeCalculation: () => 1 }
}
