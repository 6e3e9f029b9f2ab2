/** Texts of the dashboard in English: a day and its manifests, scanning. */
export const today = {} as const
