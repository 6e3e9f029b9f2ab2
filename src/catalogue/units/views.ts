/** Units in responses to partners and operators. */
import type { Static } from '../../platform/schema/typebox.ts'
import { toMoney } from '../../platform/text/money.ts'
import type { Unit } from '../model.ts'
import type { unitSchema } from '../sale-schemas.ts'

export function unitView(unit: Unit): Static<typeof unitSchema> {
  return {
    UnitID: unit.id,
    Name: unit.name,
    Type: unit.type as Static<typeof unitSchema>['Type'],
    Price: toMoney(unit.priceMinor, unit.currency),
    Places: unit.places,
    People: unit.people,
    MinAge: unit.minAge,
    MaxAge: unit.maxAge,
    MinQuantity: unit.minQuantity,
    MaxQuantity: unit.maxQuantity,
    AccompaniedBy: unit.accompaniedBy,
    Default: unit.isDefault,
  }
}
