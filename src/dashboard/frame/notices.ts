/**
 * The notices after actions. The address has a word for the notice; other words show nothing. Where the notice counts
 * something, the address also has a `count`.
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

/** 0 for an address that has none, or one that is not a number. */
function countIn(searchParams: URLSearchParams): number {
  const count = Number(searchParams.get('count'))
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}
