/** How a list says where it goes on: the sort key of its last item, as text that callers hand back unread. */

export function writeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** The sort key in a cursor; null unless it is of these types, storable, and its numbers are safe integers. */
export function readCursor<const T extends readonly ('string' | 'number')[]>(
  text: string,
  types: T,
): { -readonly [K in keyof T]: T[K] extends 'number' ? number : string } | null {
  try {
    const key = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    const sound = Array.isArray(key) && key.length === types.length && key.every(isSound)
    return sound && types.every((type, index) => typeof key[index] === type) ? (key as never) : null
  } catch {
    return null
  }
}

function isSound(value: unknown): boolean {
  return typeof value === 'string'
    ? !value.includes('\0') && value.isWellFormed()
    : Number.isSafeInteger(value)
}
