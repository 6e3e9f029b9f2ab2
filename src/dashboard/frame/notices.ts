/** What a page says after something was done; the address has a word for it, and only these words say anything. */
const words: Record<string, string> = {
  saved: 'Saved.',
  capacity: 'The capacity is changed.',
  closed: 'The timeslot is off sale. Its bookings stay.',
  reopened: 'The timeslot is on sale again.',
  made: 'The timeslot is made.',
  joined: 'The party is on the waitlist.',
  left: 'The party is off the waitlist.',
  'in-shopfront': 'It is in the shopfront: partners see and sell it from now on.',
  'out-of-shopfront': 'It is out of the shopfront: partners no longer see or sell it.',
  unit: 'The units are saved.',
  prices: 'The prices are changed. What is sold from now on costs them.',
  question: 'The questions are saved.',
  'workflow-on': 'The workflow is on. Nothing goes for what was due before.',
  'workflow-off': 'The workflow is off.',
  'workflow-deleted': 'The workflow is deleted.',
  'test-sent': 'A test is on its way to you.',
  retried: 'The e-mail is tried again.',
  'customer-erased': 'The customer is erased from all their bookings.',
  cancelled: 'The booking is cancelled, and its places are free for those who wait.',
  moved: 'The booking is moved.',
  amended: 'The party is changed.',
  resent: 'The confirmation is on its way again.',
  'checked-in': 'The party is checked in.',
  'no-show': 'The party is marked as not come.',
  'attendance-cleared': 'Whether the party came is open again.',
  'places-released': 'The places are free again.',
  promotion: 'The promotion is used.',
  'promotion-removed': 'The promotion is taken away.',
  'held-longer': 'The places are held for longer.',
  password: 'Your password is changed; every other sign-in has ended.',
  voided: 'The entry is voided: no total counts it any more.',
  'key-revoked': 'The key is revoked. Every process refuses it within seconds.',
  'secret-revoked': 'The secret is revoked.',
  'user-disabled': 'The user is disabled and signed out everywhere.',
  'user-enabled': 'The user may sign in again.',
  'user-signed-out': 'The user is signed out everywhere.',
  'user-role': 'The role is changed.',
  'rejects-stored': 'Every rejected entry is stored and counted now.',
  'rejects-refused': 'Some entries are still refused; the reasons below are new.',
}

/** What was just done, as the address of a page tells; null when it tells nothing. */
export function doneWords(url: string): string | null {
  const word = new URL(url, 'http://here').searchParams.get('done')
  return word !== null && Object.hasOwn(words, word) ? words[word]! : null
}
