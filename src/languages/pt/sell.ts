/** Texts of the dashboard in Portuguese: selling. */
import type { sell as english } from '../en/sell.ts'

export const sell: Readonly<Record<keyof typeof english, string>> = {}
