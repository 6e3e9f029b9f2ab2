/** Wire shapes of the units of a product, as the operator states them. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { mostUnits, optionalUnitFields, unitFields } from '../sale-schemas.ts'

const statedUnitSchema = Type.Object(
  {
    UnitID: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Of a unit that stands and is kept; a new one has none.',
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
          maxItems: mostUnits,
          description:
            'Units of this list, at least one of which is in the same booking: a number is a `UnitID`, 0 the default unit, and a text the `Name` of a unit, which may be new.',
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
      maxItems: mostUnits,
      description:
        'All units of the product, in their order. One that is left out is sold no more; without any, the product sells places to one person each.',
    }),
  },
  { title: 'UnitList' },
)
