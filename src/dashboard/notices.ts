/** What a page says after something was done; the address has a word for it, and only these words say anything. */
const words: Record<string, string> = {
  saved: 'Saved.',
  capacity: 'The capacity is changed.',
  closed: 'The timeslot is off sale. Its bookings stay.',
  reopened: 'The timeslot is on sale again.',
  made: 'The timeslot is made.',
  joined: 'The party is on the waitlist.',
  left: 'The party is off the waitlist.',
  password: 'Your password is changed; every other sign-in has ended.',
}

/** What was just done, as the address of a page tells; null when it tells nothing. */
export function doneWords(url: string): string | null {
  const word = new URL(url, 'http://here').searchParams.get('done')
  return word !== null && Object.hasOwn(words, word) ? words[word]! : null
}
