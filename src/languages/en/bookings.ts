/** Texts of the dashboard in English: bookings, waitlist, closures and customers. */
export const bookings = {} as const
