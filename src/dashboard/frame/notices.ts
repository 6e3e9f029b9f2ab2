/**
 * The notices after actions, such as “Saved”. The parameter `done` of the address selects the notice; an
 * unknown value shows none. The parameter `count` is the number in the notice, if it has one.
 */
import { frame } from '../../languages/en/frame.ts'
import type { Texts } from '../../languages/texts.ts'

type DoneKey = Extract<keyof typeof frame, `done.${string}`>

/** The notice for the word in an address; null if there is none. */
export function doneWords(t: Texts, url: string): string | null {
  const { searchParams } = new URL(url, 'http://here')
  const key = `done.${searchParams.get('done')}`
  return isDone(key) ? t.say(key, { count: countIn(searchParams) }) : null
}

function isDone(key: string): key is DoneKey {
  return Object.hasOwn(frame, key)
}

/** The count in an address; 0 if it is missing or invalid. */
function countIn(searchParams: URLSearchParams): number {
  const count = Number(searchParams.get('count'))
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}
