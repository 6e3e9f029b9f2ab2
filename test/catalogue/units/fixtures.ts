/** Units as an operator sends them. */
import type { StatedUnit } from '../../../src/catalogue/units/schemas.ts'

export const euros = (Amount: string) => ({ Amount, Currency: 'EUR' })

export const adult: StatedUnit = { Name: 'Adult', Type: 'ADULT', Price: euros('45.00'), Default: true }
export const child: StatedUnit = {
  ...{ Name: 'Child', Type: 'CHILD', Price: euros('20.00'), MinAge: 4, MaxAge: 11, MaxQuantity: 6 },
  AccompaniedBy: ['Adult'],
}
export const family: StatedUnit = {
  Name: 'Family',
  Type: 'FAMILY',
  Price: euros('99.5'),
  Places: 4,
  People: 4,
}
