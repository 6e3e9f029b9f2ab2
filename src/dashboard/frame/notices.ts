/** The notices after actions. The address has a word for the notice; other words show nothing. */
import { frame } from '../../languages/en/frame.ts'
import type { Texts } from '../../languages/texts.ts'

type DoneKey = Extract<keyof typeof frame, `done.${string}`>

/** The notice for the word in an address; null if there is none. */
export function doneWords(t: Texts, url: string): string | null {
  const key = `done.${new URL(url, 'http://here').searchParams.get('done')}`
  return isDone(key) ? t.say(key) : null
}

function isDone(key: string): key is DoneKey {
  return Object.hasOwn(frame, key)
}
