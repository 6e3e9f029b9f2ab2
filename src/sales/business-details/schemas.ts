/** Wire shapes of who the operator is in business. */
import { lineSchema } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { customerSchema, orNull } from '../booking/schemas.ts'

export const mostAddressLines = 6

export const legalNameSchema = lineSchema(
  200,
  ['Harbour Tours, Lda.'],
  'The name of the business, where it differs from the account’s.',
)
export const addressLineSchema = lineSchema(200, ['Rua do Cais 12'], 'One line of the address.')
export const taxNumberSchema = lineSchema(
  50,
  ['PT 501 234 567'],
  'As it stands on receipts, with the country if it has one.',
)
export const businessPhoneSchema = Type.String({
  pattern: '^\\+?[\\d(][\\d ()./-]{3,47}\\d$',
  errorMessage: 'must be a phone number, for example +351 282 555 010',
  description:
    'Where customers call. With + and the country code it is shown as its country writes it, else as it is written here.',
  examples: ['+351 282 555 010'],
})

export const businessDetailsSchema = Type.Object(
  {
    LegalName: orNull(legalNameSchema),
    AddressLines: Type.Array(addressLineSchema, {
      maxItems: mostAddressLines,
      description: 'As they stand on a letter, from the top. Empty where no address is set.',
      examples: [['Rua do Cais 12', '8600-315 Lagos', 'Portugal']],
    }),
    TaxNumber: orNull(taxNumberSchema),
    Phone: orNull(businessPhoneSchema),
    Email: orNull(Type.String({ ...customerSchema.properties.Email, examples: ['desk@harbour.example'] })),
  },
  { title: 'BusinessDetails' },
)
export type BusinessDetailsView = Static<typeof businessDetailsSchema>

export const businessDetailsRequestSchema = Type.Object(Type.Partial(businessDetailsSchema).properties, {
  title: 'BusinessDetailsRequest',
})
