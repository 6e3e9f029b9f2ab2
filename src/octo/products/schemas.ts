/**
 * Wire shapes of OCTO's products, options, units and questions. Fields of a capability are there only if it is in
 * force.
 */
import { type Static, type TSchema, Type } from '../../platform/schema/typebox.ts'
import { pricingSchema } from '../pricing.ts'

const reference = Type.Null({ description: 'Always null: products have no codes other than their ids.' })
const contactFields = Type.Array(Type.String(), {
  description: 'Always empty: no field of a contact is required.',
})
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const featureSchema = Type.Object({
  shortDescription: Type.String(),
  type: Type.Enum(['CANCELLATION_TERM', 'ADDITIONAL_INFORMATION']),
})
const none = Type.Array(Type.Object({}), { description: 'Always empty.' })

export const octoQuestionSchema = Type.Object(
  {
    id: Type.String({ examples: ['31'] }),
    title: Type.String({ description: 'The question in the words for the customer.' }),
    shortDescription: Type.Null(),
    required: Type.Boolean(),
    inputType: Type.Enum(['text', 'textarea', 'select', 'date', 'email', 'tel', 'file']),
    selectOptions: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
    coverImageUrl: Type.Null(),
  },
  { title: 'OctoQuestion' },
)
export type OctoQuestion = Static<typeof octoQuestionSchema>

const questions = {
  questions: Type.Optional(Type.Array(octoQuestionSchema, { description: 'With `octo/questions`.' })),
}

const prices = {
  pricingFrom: Type.Optional(
    Type.Array(pricingSchema, {
      description: 'With `octo/pricing`: the lowest price.',
    }),
  ),
  pricing: Type.Optional(
    Type.Array(pricingSchema, { description: 'With `octo/pricing`: the same as `pricingFrom`.' }),
  ),
}

const content = {
  title: Type.Optional(Type.String({ description: 'Only with `octo/content`, like the fields after it.' })),
  shortDescription: Type.Optional(orNull(Type.String())),
  description: Type.Optional(orNull(Type.String())),
  features: Type.Optional(Type.Array(featureSchema)),
  faqs: Type.Optional(none),
  media: Type.Optional(none),
  locations: Type.Optional(none),
  categoryLabels: Type.Optional(none),
  durationMinutesFrom: Type.Optional(Type.Integer({ examples: [120] })),
  durationMinutesTo: Type.Optional(Type.Null()),
  commentary: Type.Optional(none),
}

export const octoUnitSchema = Type.Object(
  {
    id: Type.String({ examples: ['72'] }),
    internalName: Type.String({ examples: ['Adult'] }),
    reference,
    type: Type.Enum(
      ['ADULT', 'YOUTH', 'CHILD', 'INFANT', 'FAMILY', 'SENIOR', 'STUDENT', 'MILITARY', 'OTHER'],
      { description: 'The kind of guest. ADULT for a product without units.' },
    ),
    restrictions: Type.Object({
      minAge: Type.Integer({ description: '0 if there is no minimum age.' }),
      maxAge: Type.Integer({ description: '150 if there is no maximum age.' }),
      idRequired: Type.Boolean(),
      minQuantity: orNull(Type.Integer()),
      maxQuantity: orNull(Type.Integer()),
      paxCount: Type.Integer({ description: 'How many people one unit is for.' }),
      accompaniedBy: Type.Array(Type.String(), {
        description:
          'At least one of these units must be in the same booking. Empty if the unit needs no other.',
      }),
    }),
    requiredContactFields: contactFields,
    ...prices,
    ...questions,
    title: content.title,
    shortDescription: Type.Optional(Type.String()),
    features: content.features,
  },
  { title: 'OctoUnit' },
)
export type OctoUnit = Static<typeof octoUnitSchema>

export const octoOptionSchema = Type.Object(
  {
    id: Type.String({ description: 'Always `DEFAULT`.', examples: ['DEFAULT'] }),
    default: Type.Boolean(),
    internalName: Type.String(),
    reference,
    availabilityLocalStartTimes: Type.Array(Type.String(), { minItems: 1, examples: [['10:00', '14:00']] }),
    cancellationCutoff: Type.String({ examples: ['1 day'] }),
    cancellationCutoffAmount: Type.Integer({ minimum: 0, examples: [1] }),
    cancellationCutoffUnit: Type.Enum(['minute', 'hour', 'day']),
    requiredContactFields: contactFields,
    restrictions: Type.Object({
      minUnits: Type.Integer({ minimum: 0 }),
      maxUnits: orNull(Type.Integer({ minimum: 0 })),
    }),
    units: Type.Array(octoUnitSchema),
    ...prices,
    ...questions,
    ...content,
  },
  { title: 'OctoOption' },
)
export type OctoOption = Static<typeof octoOptionSchema>

export const octoProductSchema = Type.Object(
  {
    id: Type.String({ examples: ['s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10'] }),
    internalName: Type.String({ examples: ['Sunset kayak tour'] }),
    reference,
    locale: Type.String({ examples: ['en'] }),
    timeZone: Type.String({ examples: ['Europe/Lisbon'] }),
    allowFreesale: Type.Boolean(),
    instantConfirmation: Type.Boolean(),
    instantDelivery: Type.Boolean(),
    availabilityRequired: Type.Boolean(),
    availabilityType: Type.Enum(['START_TIME', 'OPENING_HOURS']),
    deliveryFormats: Type.Array(Type.Enum(['QRCODE'])),
    deliveryMethods: Type.Array(Type.Enum(['TICKET', 'VOUCHER'])),
    redemptionMethod: Type.Enum(['DIGITAL']),
    options: Type.Array(octoOptionSchema),
    defaultCurrency: Type.Optional(
      Type.String({ description: 'Only with `octo/pricing`, like the next two fields.', examples: ['EUR'] }),
    ),
    availableCurrencies: Type.Optional(Type.Array(Type.String())),
    pricingPer: Type.Optional(Type.Enum(['UNIT', 'BOOKING'])),
    ...questions,
    ...content,
  },
  { title: 'OctoProduct' },
)
export type OctoProductView = Static<typeof octoProductSchema>
