/** Texts of the dashboard in Portuguese: what several pages share: bookings, payments, parties, units, history. */
import type { parts as english } from '../en/parts.ts'

export const parts: Readonly<Record<keyof typeof english, string>> = {}
