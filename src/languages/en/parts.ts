/** Texts of the dashboard in English: what several pages share: bookings, payments, parties, units, history. */
export const parts = {} as const
