/** Cursors of lists: where a list goes on, as text that a caller hands back and need not understand. */

/** A place in the order of a list: whole numbers from 0 on. */
export type Place = [number, number]

export function writeCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Null for text that writeCursor() did not make. */
export function readCursor(text: string): Place | null {
  try {
    const place = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    const sound = Array.isArray(place) && place.length === 2 && place.every(isPart)
    return sound ? (place as Place) : null
  } catch {
    return null
  }
}

function isPart(part: unknown): boolean {
  return Number.isSafeInteger(part) && (part as number) >= 0
}
