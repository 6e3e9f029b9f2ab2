/** The filters of the list of bookings, as the query of a request has them. */
import { pageFields } from '../../../http/wire.ts'
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { statusSchema } from '../schemas.ts'
import { channelSchema, idSchema } from './schemas.ts'

const daySchema = (description: string, example: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: [example] }))

export const listQuerySchema = Type.Object({
  From: daySchema(
    'Only bookings whose timeslot is on this day or later, in the time zone of the product.',
    '2027-06-01',
  ),
  To: daySchema('Only bookings whose timeslot is on this day or earlier.', '2027-06-30'),
  MadeFrom: daySchema(
    'Only bookings that were made on this day or later, in the account’s time zone.',
    '2027-05-01',
  ),
  MadeTo: daySchema('Only bookings that were made on this day or earlier.', '2027-05-31'),
  Channel: Type.Optional(channelSchema),
  Status: Type.Optional(
    Type.Array(statusSchema, {
      maxItems: 5,
      description: 'Only these; can be given several times.',
      examples: [['confirmed']],
    }),
  ),
  ToPay: Type.Optional(
    Type.Enum(['true'], {
      description:
        '`true`: only confirmed bookings whose sale still owes something. A request checks about 5,000 bookings at most, so a page may have fewer than `Limit`, or none, although `Link: rel="next"` leads to more.',
      examples: ['true'],
    }),
  ),
  TimeslotID: Type.Optional(idSchema('Only this timeslot.', 4711)),
  ProductID: Type.Optional(idSchema('Only this product.', 12)),
  PartnerID: Type.Optional(idSchema('Only this partner.', 3)),
  Search: Type.Optional(
    Type.String({
      trimmedLength: 255,
      description:
        'Words in any order. The first eight must all match; further words are ignored. A word of three letters or more may be the beginning of a word in the name, the e-mail address or a reference of a booking, or in the name of its product or partner. Four digits or more may be the end of a phone number, in any notation. The reference of a payment or refund of its sale and the BasketID also find it. A day (`2030-06-15`, `15 June`, `15.6.`, `today`, `tomorrow`) and a time (`9:30`, `9 pm`) are those of its timeslot. The TicketID of one of its tickets finds only that booking. New bookings are found within seconds. If more than 10,000 bookings have such words, a request searches only the next 10,000 bookings, so a page may have fewer than `Limit`, or none, although `Link: rel="next"` leads to more.',
      examples: ['lovelace ada 15 june'],
    }),
  ),
  Text: Type.Optional(
    Type.String({
      trimmedLength: 255,
      deprecated: true,
      description:
        'Use `Search`, which is faster and finds more. Part of the reference, of a partner’s payment reference, of the name (first name first) or of the e-mail address, in any case; or the whole payment reference of a basket.',
      examples: ['lovelace'],
    }),
  ),
  ...pageFields,
})

/**
 * The filters of the list in the dashboard: those of the API, and filters for the bookings that reports
 * count.
 */
export const soldListQuerySchema = Type.Object({
  ...listQuerySchema.properties,
  SoldFrom: daySchema(
    'Only bookings that were confirmed on this day or later, in the account’s time zone.',
    '2027-05-01',
  ),
  SoldTo: daySchema('Only bookings that were confirmed on this day or earlier.', '2027-05-31'),
  Sold: Type.Optional(
    Type.Enum(['true'], {
      description: 'Only bookings that were confirmed, even if they are cancelled now.',
    }),
  ),
  NoShow: Type.Optional(
    Type.Enum(['true'], { description: 'Only confirmed bookings with people who did not come.' }),
  ),
})
export type SoldListQuery = Static<typeof soldListQuerySchema>
