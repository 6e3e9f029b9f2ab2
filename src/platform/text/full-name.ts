/** The name of a person in one line; empty where neither part is known. */
export function fullName(first: string | null | undefined, last: string | null | undefined): string {
  return [first, last].filter(Boolean).join(' ')
}
