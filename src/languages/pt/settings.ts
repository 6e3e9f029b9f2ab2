/** Texts of the dashboard in Portuguese: partners, users and the business. */
import type { settings as english } from '../en/settings.ts'

export const settings: Readonly<Record<keyof typeof english, string>> = {}
