/** The cursor of a list: the sort key of the last item of a page, as opaque text. */

export type SortKey = readonly (string | number)[]
export type KeyTypes = readonly ('string' | 'number')[]
/** A sort key of these types. */
export type KeyOf<T extends KeyTypes> = { -readonly [K in keyof T]: T[K] extends 'number' ? number : string }

export function writeCursor(key: SortKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/**
 * The sort key in a cursor; null unless it has these types, can be stored, and its numbers are safe integers.
 */
export function readCursor<const T extends KeyTypes>(text: string, types: T): KeyOf<T> | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return isKeyOf(key, types) ? key : null
  } catch {
    return null
  }
}

function isKeyOf<T extends KeyTypes>(key: unknown, types: T): key is KeyOf<T> {
  return (
    Array.isArray(key) &&
    key.length === types.length &&
    key.every((part: unknown, index) => typeof part === types[index] && isSound(part))
  )
}

function isSound(value: unknown): boolean {
  return typeof value === 'string'
    ? !value.includes('\0') && value.isWellFormed()
    : Number.isSafeInteger(value)
}
