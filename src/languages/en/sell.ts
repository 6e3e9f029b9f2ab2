/** Texts of the dashboard in English: selling. */
export const sell = {} as const
