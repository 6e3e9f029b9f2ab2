/** Texts of the dashboard in Portuguese: bookings, waitlist, closures and customers. */
import type { bookings as english } from '../en/bookings.ts'

export const bookings: Readonly<Record<keyof typeof english, string>> = {}
