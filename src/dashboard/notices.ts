/** What a page says after something was done; the address has a word for it, and only these words say anything. */
const words: Record<string, string> = {
  saved: 'Saved.',
  cancelled: 'The booking is cancelled, and its places are free for those who wait.',
  moved: 'The booking is moved.',
  amended: 'The party is changed.',
  resent: 'The confirmation is on its way again.',
  'checked-in': 'The party is checked in.',
  'no-show': 'The party is marked as not come.',
  'attendance-cleared': 'Whether the party came is open again.',
  'places-released': 'The places are free again.',
  'held-longer': 'The places are held for longer.',
  password: 'Your password is changed; every other sign-in has ended.',
}

/** What was just done, as the address of a page tells; null when it tells nothing. */
export function doneWords(url: string): string | null {
  const word = new URL(url, 'http://here').searchParams.get('done')
  return word !== null && Object.hasOwn(words, word) ? words[word]! : null
}
