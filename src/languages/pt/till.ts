/** Texts of the dashboard in Portuguese: tills and refunds. */
import type { till as english } from '../en/till.ts'

export const till: Readonly<Record<keyof typeof english, string>> = {}
