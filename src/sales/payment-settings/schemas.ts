/** Wire shapes of the payment settings. */
import { lineSchema } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'

export const paymentPageSchema = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'The operator’s own page at its payment provider: an https address with the placeholder `{BasketID}` and, if it needs them, `{Amount}`, `{Currency}` and `{ReturnURL}`, after the host name.',
  examples: [
    'https://pay.example/harbour?order={BasketID}&amount={Amount}&currency={Currency}&back={ReturnURL}',
  ],
})

export const contactSchema = lineSchema(
  200,
  ['+351 291 123 456 or desk@harbour.example'],
  'The contact for customers with questions about a payment or an offer: a phone number or an e-mail address.',
)

export const paymentSettingsSchema = Type.Object(
  {
    PaymentPage: Type.Union([paymentPageSchema, Type.Null()]),
    Contact: Type.Union([contactSchema, Type.Null()]),
  },
  { title: 'PaymentSettings' },
)
export type PaymentSettingsView = Static<typeof paymentSettingsSchema>

export const paymentSettingsRequestSchema = Type.Object(Type.Partial(paymentSettingsSchema).properties, {
  title: 'PaymentSettingsRequest',
})
