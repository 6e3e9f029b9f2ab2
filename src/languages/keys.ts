/** The names of all texts. English has each of them, and so must every other language. */
import type { en } from './en.ts'

export type TextKey = keyof typeof en
export type TextsOfLanguage = Readonly<Record<TextKey, string>>
