/** Wire shapes of the business details. */
import { lineSchema } from '../../http/wire.ts'
import { defaultLocale, locales } from '../../languages/locales.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { colourPattern } from '../../platform/text/colour.ts'
import { customerSchema, orNull } from '../booking/schemas.ts'
import { logoTypes, maxLogoBytes } from './logo-model.ts'

export const maxAddressLines = 6

export const legalNameSchema = lineSchema(
  200,
  ['Harbour Tours, Lda.'],
  'The name of the business, if it differs from the name of the account.',
)
export const addressLineSchema = lineSchema(200, ['Rua do Cais 12'], 'One line of the address.')
export const taxNumberSchema = lineSchema(
  50,
  ['PT 501 234 567'],
  'The tax number as receipts show it, with the country code if it has one.',
)
export const businessPhoneSchema = Type.String({
  pattern: '^\\+?[\\d(][\\d ()./-]{3,47}\\d$',
  errorMessage: 'must be a phone number, for example +351 282 555 010',
  description:
    'The phone number for customers. With + and the country code, it is shown in the format of its country, otherwise as given.',
  examples: ['+351 282 555 010'],
})

export const colourSchema = Type.String({
  pattern: colourPattern,
  errorMessage: 'must be a colour of the form #0a5bb0, in lower case',
  description:
    'The colour of buttons and links on customers’ pages and in e-mails, `#rrggbb`. Text on buttons is black or white, whichever is easier to read.',
  examples: ['#0a5bb0'],
})

const detailsFields = {
  LegalName: orNull(legalNameSchema),
  AddressLines: Type.Array(addressLineSchema, {
    maxItems: maxAddressLines,
    description: 'The lines of the address in their order on a letter; empty if no address is set.',
    examples: [['Rua do Cais 12', '8600-315 Lagos', 'Portugal']],
  }),
  TaxNumber: orNull(taxNumberSchema),
  Phone: orNull(businessPhoneSchema),
  Email: orNull(Type.String({ ...customerSchema.properties.Email, examples: ['desk@harbour.example'] })),
  Locale: orNull(
    Type.Enum([...locales], {
      description: `The language of e-mails and their format of dates, numbers and money. Customers’ pages use it for readers whose browser asks for no supported language. Null for ${defaultLocale}.`,
      examples: ['pt-PT'],
    }),
  ),
  Colour: orNull(colourSchema),
}

export const businessDetailsSchema = Type.Object(
  {
    ...detailsFields,
    Logo: orNull(
      Type.Object(
        {
          URL: Type.String({
            examples: ['https://booking.example/logos/12/5f2b8a640c1d4e5f8a9b7c6d5e4f3a2b'],
          }),
          Type: Type.Enum([...logoTypes], { examples: ['image/png'] }),
          Bytes: Type.Integer({ minimum: 1, examples: [20480] }),
        },
        {
          description:
            'Shown on customers’ pages, tickets, receipts and e-mails. `replaceLogo` and `removeLogo` change it.',
        },
      ),
    ),
  },
  { title: 'BusinessDetails' },
)
export type BusinessDetailsView = Static<typeof businessDetailsSchema>

export const businessDetailsRequestSchema = Type.Object(Type.Partial(Type.Object(detailsFields)).properties, {
  title: 'BusinessDetailsRequest',
})
export type BusinessDetailsRequest = Static<typeof businessDetailsRequestSchema>

export const logoRequestSchema = Type.Object(
  {
    Image: Type.String({
      minLength: 1,
      // Four characters for three bytes.
      maxLength: Math.ceil(maxLogoBytes / 3) * 4,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      errorMessage: 'must be a picture of at most 256 kB in Base64',
      description: 'A picture in PNG, JPEG or WebP of at most 256 kB, in Base64.',
      examples: [
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      ],
    }),
  },
  { title: 'LogoRequest' },
)
