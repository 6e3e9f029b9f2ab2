/** Texts of the dashboard in English: partners, users and the business. */
export const settings = {} as const
