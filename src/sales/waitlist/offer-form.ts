/** The form by which a customer takes an offer: the answers that it sends, and what is wrong with them. */
import type { FastifyRequest } from 'fastify'
import type { FormFields } from '../../http/form-fields.ts'
import type { FormFaults } from '../../http/form-markup.ts'
import { Problem, problems } from '../../http/problems.ts'
import type { Texts } from '../../languages/texts.ts'
import { type FieldError, InvalidFields } from '../../platform/schema/validation.ts'
import { answerFault, answerFieldName, type LineAnswer, readAnswers } from '../booking/answer-fields.ts'

/** A refused form, which is shown again as it was sent. */
export type RefusedOffer = { answers: readonly LineAnswer[]; faults: NonNullable<FormFaults> }

/** Puts the answers of the form into its body, before that is checked. A button may also send no form at all. */
export async function takeOfferAnswers(request: FastifyRequest): Promise<void> {
  request.formFields = (request.body ?? {}) as FormFields
  const Answers = readAnswers(request.formFields).map(({ QuestionID, Value }) => ({ QuestionID, Value }))
  request.body = { Answers }
}

/** As they were sent; null where the button was pressed without its form. */
export function sentAnswers({ formFields }: FastifyRequest): LineAnswer[] | null {
  return Object.hasOwn(formFields, 'Described') ? readAnswers(formFields) : null
}

/** @throws Problem validation where an answer is none that can be kept. */
export function checkOfferAnswers({ validationError }: FastifyRequest): void {
  if (validationError instanceof InvalidFields) throw problems.validation(validationError.fields)
  if (validationError) throw validationError
}

/** What a customer has to mend. @throws the error itself, where it is not about the answers. */
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
