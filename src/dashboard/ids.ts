/** Identifiers in the addresses of pages. */
import { Type } from 'typebox'

export const idSchema = Type.String({
  pattern: '^[1-9]\\d{0,14}$',
  errorMessage: 'must be a positive whole number',
})
