/** Groups the items by a field, in the order of their first items. Each group keeps the order of its items. */
export function groupBy<Field extends PropertyKey, Item extends Readonly<Record<Field, unknown>>>(
  items: readonly Item[],
  field: Field,
): Map<Item[Field], Item[]> {
  // Map.groupBy() does this, but Node 20 lacks it.
  const groups = new Map<Item[Field], Item[]>()
  for (const item of items) {
    const group = groups.get(item[field])
    if (group) group.push(item)
    else groups.set(item[field], [item])
  }
  return groups
}
