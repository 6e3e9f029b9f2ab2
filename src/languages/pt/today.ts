/** Texts of the dashboard in Portuguese: a day and its manifests, scanning. */
import type { today as english } from '../en/today.ts'

export const today: Readonly<Record<keyof typeof english, string>> = {}
