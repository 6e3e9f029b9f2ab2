/** Schemas of the units of a product in the operator's requests. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { maxUnits, optionalUnitFields, unitFields } from '../sale-schemas.ts'

const statedUnitSchema = Type.Object(
  {
    UnitID: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'ID of an existing unit. A unit without `UnitID` is new.',
        examples: [72],
      }),
    ),
    ...unitFields,
    ...optionalUnitFields,
    AccompaniedBy: Type.Optional(
      Type.Array(
        Type.Union([
          Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
          Type.String({ minLength: 1, maxLength: 255 }),
        ]),
        {
          maxItems: maxUnits,
          description:
            'Other units of `Units` that accompany this unit: a booking with this unit must also have at least one of them. A number is a `UnitID` (0 is the default unit), and a text is the `Name` of a unit, which may be new.',
          examples: [['Adult']],
        },
      ),
    ),
  },
  { title: 'StatedUnit' },
)
export type StatedUnit = Static<typeof statedUnitSchema>

export const unitListSchema = Type.Object(
  {
    Units: Type.Array(statedUnitSchema, {
      maxItems: maxUnits,
      description:
        'All units of the product, in their order. A unit that is left out is no longer sold. With an empty list, the product sells places at its `Price`.',
    }),
  },
  { title: 'UnitList' },
)
