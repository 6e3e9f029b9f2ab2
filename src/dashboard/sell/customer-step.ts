/**
 * The form of a sale's second step: customer and answers. Each of its buttons stores the typed values first.
 */
import type { FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { Problem, problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { type DescribedBasket, describeBasket, readDescribedBasket } from '../../sales/basket/description.ts'
import { heldState } from '../../sales/basket/held-version.ts'
import {
  answersOfLines,
  lineAnswerLabels,
  missingAnswers,
  openQuestions,
  storedAnswers,
} from '../../sales/basket/line-answers.ts'
import { setPromotion } from '../../sales/basket/promoting.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { descriptionRequestSchema } from '../../sales/booking/changes/schemas.ts'
import type { PromotionReason } from '../../sales/promotion/model.ts'
import { promotionCodeSchema } from '../../sales/promotion/schemas.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkFormWith, type FormFaults, faultsOf, renameFaults } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { asOfFields, type LineAnswer, readAnswers, takeAnswers } from '../parts/answers.ts'
import { customerName } from '../parts/booking-words.ts'
import { customerFaults } from '../parts/customer-fields.ts'
import { backSchema } from '../parts/held-actions.ts'
import { takePhone } from '../parts/phone-fields.ts'
import { heldField } from './held-before.ts'

/**
 * Only the form of this step sends `Described`: other pages use the same routes without these fields. With
 * `Next=add`, the user adds another product after this step; without `Next`, the payment follows.
 */
export const stepSchema = Type.Object({
  ...descriptionRequestSchema.properties,
  ...backSchema.properties,
  ...heldField,
  Described: Type.Optional(Type.Boolean()),
  Next: Type.Optional(Type.Enum(['add'])),
  Code: Type.Optional(promotionCodeSchema.properties.Code),
})
export const stepOptions = { attachValidation: true, preValidation: [takeAnswers, takePhone] }

export type StepRequest = FastifyRequest<{ Params: { BasketID: string }; Body: Static<typeof stepSchema> }>
/** A field that the user must fill in, or leave empty on purpose, before the payment. */
export type AskedField = { field: string; label: string; hint?: string }
/** The sent step with its faults. */
export type RefusedStep = ShownForm & { code: string | undefined; status: number }

type StepOptions = {
  /** Whether the route stores the fields of the step even if the form does not send `Described`. */
  describes?: boolean
  /** Whether every required question must be answered before anything is written. */
  isWhole?: boolean
  act?: () => Promise<unknown>
}

/**
 * Stores the customer and the answers of all lines, if the form has these fields. Then runs `act`, the action of
 * the button. If the form has these fields and the lines have changed, it does neither and returns a fault.
 * @returns the sent step with its faults; null if it succeeded.
 * @throws any error that the user cannot correct.
 */
export async function takeStep(
  sql: Sql,
  request: StepRequest,
  { describes = false, isWhole = false, act }: StepOptions,
): Promise<RefusedStep | null> {
  const { Customer, Code: code, Described = describes } = request.body
  const answers = readAnswers(request.formFields)
  try {
    await checkFormWith(request, async () => {
      if (Described) await checkHeld(sql, request)
      if (!Described || !isWhole) return []
      const { lines } = await readDescribedBasket(sql, request.session.user.accountId, basketIdOf(request))
      return missingAnswers(lines, answers)
    })
    if (Described) await describe(sql, request, answers)
    await act?.()
    return null
  } catch (error) {
    // If the lines have changed, the typed answers may belong to other lines, so the page shows the stored
    // answers.
    const isOfOthers = error instanceof Problem && error.slug === 'edited-meanwhile'
    const values = Described ? { Customer, ...(!isOfOthers && { Answers: answers }) } : undefined
    return { values, code, ...faultsOf(asOfCode(asOfFields(error, answers))) }
  }
}

/** @throws Problem edited-meanwhile if the lines of an open sale have changed since the form was rendered. */
async function checkHeld(sql: Sql, request: StepRequest): Promise<void> {
  const { Status, Lines } = await readBasket(sql, request.session.user.accountId, basketIdOf(request))
  if (Status === 'open') requireVersion(request.body.Held, heldState(Lines))
}

/** Sets the typed promotion code. @throws as setPromotion(); Problem validation without a code. */
export async function useCode(sql: Sql, { session, params, body: { Code } }: StepRequest): Promise<void> {
  if (Code === undefined) throw problems.validation([{ field: 'Code', message: 'is needed' }])
  await setPromotion(sql, byUser(session.user), { basketId: basketIdOf({ params }), code: Code })
}

/**
 * If the promotion cannot be used, returns a problem with the reason as a fault of the field `Code`. Returns
 * any other error unchanged.
 */
function asOfCode(error: unknown): unknown {
  if (!(error instanceof Problem && error.slug === 'promotion-not-applicable')) return error
  const message = codeFaults[error.extensions.Reason as PromotionReason]
  return new Problem(error.slug, 'Please correct this and send it again:', {
    extensions: { errors: [{ field: 'Code', message }] },
  })
}

/** Why a code cannot be used, worded to follow the label of the field. */
const codeFaults: Record<PromotionReason, string> = {
  'unknown-code': 'is not one of your promotions: check its spelling',
  'not-active': 'belongs to a promotion that has ended',
  'outside-sale-dates': 'belongs to a promotion that is not valid today',
  'not-for-these-lines': 'is for other products, days or currencies than those of this sale',
  'customer-needed': 'needs the customer’s e-mail address: type it below',
  'used-by-customer': 'was used by this customer as often as the promotion allows',
  'used-up': 'is used up',
}

function basketIdOf({ params }: Pick<StepRequest, 'params'>): number {
  return Number(params.BasketID)
}

async function describe(sql: Sql, request: StepRequest, answers: LineAnswer[]): Promise<void> {
  const { user } = request.session
  const { Customer } = request.body
  const basketId = basketIdOf(request)
  const { lines } = await readDescribedBasket(sql, user.accountId, basketId)
  const Lines = answersOfLines(lines, answers).map(({ line, own }) => ({
    BookingReference: line.BookingReference,
    Answers: own,
  }))
  try {
    await describeBasket(sql, byUser(user), { basketId, request: { Customer, Lines } })
  } catch (error) {
    throw asOfForm(error, answers, Lines)
  }
}

/** The same error. A field of an answer gets the answer's index in `given` instead of its index in a line. */
function asOfForm(error: unknown, given: LineAnswer[], lines: readonly { Answers: LineAnswer[] }[]): unknown {
  return renameFaults(error, (field) => {
    const [, line, place, rest] = /^Lines\[(\d+)\]\.Answers\[(\d+)\](.*)$/.exec(field) ?? []
    const answer = lines[Number(line)]?.Answers[Number(place)]
    return answer ? `Answers[${given.indexOf(answer)}]${rest}` : field
  })
}

/** Whether a required question of a sale has no answer. */
export function lacksAnswers({ lines }: DescribedBasket): boolean {
  return missingAnswers(lines, storedAnswers(lines)).length > 0
}

/**
 * The fields to fill in before the payment: required answers, and the name, which the user may leave empty
 * after the page has asked once. Empty if nothing is missing.
 */
export function openFields(t: Texts, { basket, lines }: DescribedBasket): AskedField[] {
  const answers = openQuestions(t, lines)
  if (customerName(basket.Customer) !== '') return answers
  return [
    {
      field: 'Customer.FirstName',
      label: t.say('word.name'),
      hint: t.say('sell.customer.name.hint'),
    },
    ...answers,
  ]
}

/** The faults of the step in the words of its form. */
export function stepFaults(
  session: Session,
  t: Texts,
  { lines }: DescribedBasket,
  faults: NonNullable<FormFaults>,
): NonNullable<FormFaults> {
  return customerFaults(session, t, faults, [
    ['Code', t.say('sell.promotion')],
    ...lineAnswerLabels(t, lines),
  ])
}
