/** Texts of the dashboard in Portuguese: reports, usage and health. */
import type { reports as english } from '../en/reports.ts'

export const reports: Readonly<Record<keyof typeof english, string>> = {}
