/** Texts of the dashboard in Portuguese: why something is refused: titles of problems, and faults of fields. */
import type { problems as english } from '../en/problems.ts'

export const problems: Readonly<Record<keyof typeof english, string>> = {}
