/** Texts of the dashboard in Portuguese: products, schedules and promotions. */
import type { catalogue as english } from '../en/catalogue.ts'

export const catalogue: Readonly<Record<keyof typeof english, string>> = {}
