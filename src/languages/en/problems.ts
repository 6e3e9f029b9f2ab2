/** Texts of the dashboard in English: why something is refused: titles of problems, and faults of fields. */
export const problems = {} as const
