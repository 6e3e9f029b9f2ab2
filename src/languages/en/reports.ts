/** Texts of the dashboard in English: reports, usage and health. */
export const reports = {} as const
