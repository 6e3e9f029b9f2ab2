/** Reads the form with which a customer takes an offer: its answers, and the errors in them. */
import type { FastifyRequest } from 'fastify'
import type { FormFields } from '../../http/form-fields.ts'
import type { FormFaults } from '../../http/form-markup.ts'
import { Problem, problems } from '../../http/problems.ts'
import type { Texts } from '../../languages/texts.ts'
import { type FieldError, InvalidFields } from '../../platform/schema/validation.ts'
import { answerFault, answerFieldName, type LineAnswer, readAnswers } from '../booking/answer-fields.ts'

/** A refused form, which is shown again as it was sent. */
export type RefusedOffer = { answers: readonly LineAnswer[]; faults: NonNullable<FormFaults> }

/**
 * Replaces the body of the request with the answers in the form, before validation. A form without fields has
 * no answers.
 */
export async function takeOfferAnswers(request: FastifyRequest): Promise<void> {
  request.formFields = (request.body ?? {}) as FormFields
  const Answers = readAnswers(request.formFields).map(({ QuestionID, Value }) => ({ QuestionID, Value }))
  request.body = { Answers }
}

/** The answers as they were sent; null if the form contained only the button. */
export function sentAnswers({ formFields }: FastifyRequest): LineAnswer[] | null {
  return Object.hasOwn(formFields, 'Described') ? readAnswers(formFields) : null
}

/** @throws Problem validation if an answer does not match the schema of the route. */
export function checkOfferAnswers({ validationError }: FastifyRequest): void {
  if (validationError instanceof InvalidFields) throw problems.validation(validationError.fields)
  if (validationError) throw validationError
}

/**
 * The answers with their errors, in the customer's language.
 * @throws the error itself, if it is not a validation problem.
 */
export function refusedOffer(t: Texts, error: unknown, sent: LineAnswer[] | null): RefusedOffer {
  if (!(error instanceof Problem && error.slug === 'validation')) throw error
  const answers = sent ?? []
  const fields = (error.extensions.errors as FieldError[]).map(({ field, message }) => {
    const answer = answers[Number(/^Answers\[(\d+)\]/.exec(field)?.[1])]
    const name = answer ? answerFieldName(answer.QuestionID, answer.nth) : field
    return [name, answerFault(t, message)] as const
  })
  return { answers, faults: { message: t.say('form.correct'), fields: new Map(fields) } }
}
