/** Texts of the dashboard in English: tills and refunds. */
export const till = {} as const
