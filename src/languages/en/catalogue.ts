/** Texts of the dashboard in English: products, schedules and promotions. */
export const catalogue = {} as const
