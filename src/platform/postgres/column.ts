/**
 * One value for each item, as a parameter for unnest(); null if no item has a value, because unnest() reads
 * null as a column of nulls.
 * @param read returns undefined or null for an item without a value.
 */
export function column<T, Value>(
  items: readonly T[],
  read: (item: T) => Value | null | undefined,
): (Value | null)[] | null {
  const values = items.map((item) => read(item) ?? null)
  return values.some((value) => value !== null) ? values : null
}
