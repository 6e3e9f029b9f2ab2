/** Texts of the dashboard in English: the calendar and its feeds. */
export const calendar = {} as const
