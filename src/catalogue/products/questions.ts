/** Use cases of the operator's questions of a product. */
import { isDeepStrictEqual } from 'node:util'
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { changedEvents } from '../product-events.ts'
import * as questionQueries from '../question-queries.ts'
import { getProduct } from '../reading.ts'
import type { StatedQuestion } from '../schemas.ts'

export {
  listQuestionsByIds,
  listQuestionsOf,
  type ProductQuestion,
  type Question,
} from '../question-queries.ts'

/** @throws Problem not-found when the account has no such product. */
export async function listQuestions(
  sql: Queryable,
  accountId: number,
  productId: number,
): Promise<questionQueries.Question[]> {
  await getProduct(sql, accountId, productId)
  return questionQueries.listQuestions(sql, accountId, productId)
}

/**
 * Replaces a product's questions. Answers to a deleted question stay in their bookings.
 * @param seen the version of the list that the caller has read, if it sends one.
 * @throws Problem not-found; edited-meanwhile; validation for an ID that is repeated or not of this product,
 * for a blank label, and for a select without options.
 */
export async function replaceQuestions(
  tx: Transaction,
  by: Authorship,
  { productId, questions, seen }: { productId: number; questions: StatedQuestion[]; seen?: string },
): Promise<questionQueries.Question[]> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const existing = await listQuestions(tx, accountId, productId)
  requireVersion(seen, existing)
  const free = new Set(existing.map(({ id }) => id))
  const errors = questions.flatMap(({ ID, Label, Type, Options = [] }, index): FieldError[] => {
    const at = `Questions[${index}]`
    const errors: FieldError[] = []
    if (ID !== undefined && !free.delete(ID))
      errors.push({ field: `${at}.ID`, message: 'must be a question of this product, and only once' })
    if (Label.trim() === '') errors.push({ field: `${at}.Label`, message: 'must not be blank' })
    if (Type === 'select' && Options.length === 0)
      errors.push({ field: `${at}.Options`, message: 'must have at least 1 item for a select' })
    return errors
  })
  if (errors.length > 0) throw problems.validation(errors)
  const rows = questions.map(({ ID = null, Label, Type, Required, Options = [], AppliesTo }) => {
    return { id: ID, label: Label, type: Type, required: Required, options: Options, appliesTo: AppliesTo }
  })
  await questionQueries.replaceQuestions(tx, accountId, productId, rows)
  const replaced = await questionQueries.listQuestions(tx, accountId, productId)
  if (!isDeepStrictEqual([...replaced], [...existing]))
    await appendEvents(tx, changedEvents(by, [{ id: productId, fields: ['Questions'] }]))
  return replaced
}
