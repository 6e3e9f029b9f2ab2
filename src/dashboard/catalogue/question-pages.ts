/** Pages of a product's questions: add, change, move and remove a question. Each change is saved immediately. */
import type { FastifyRequest } from 'fastify'
import { listQuestions, replaceQuestions } from '../../catalogue/products/questions.ts'
import { questionView } from '../../catalogue/products/views.ts'
import { getProduct } from '../../catalogue/reading.ts'
import { questionFields, type StatedQuestion } from '../../catalogue/schemas.ts'
import { byUser } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { checkForm, longForm, onceOf, renameFaults } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import type { CataloguePageOptions } from './paths.ts'
import { existingQuestionPathSchema, idOrNull, productPath, questionPathSchema } from './paths.ts'
import { questionFieldNames, questionPage } from './question-views.ts'

const Version = Type.String()
const assets = ['catalogue.css']
const questionForm = Type.Object({ ...questionFields, Version })
const placeForm = Type.Object({ Do: Type.Enum(['up', 'down', 'remove']), Version })
const path = '/catalogue/:ProductID/questions/:QuestionID'
const blank = { Type: 'text', AppliesTo: 'booking', Required: false, Options: [] }

type QuestionAddress = { accountId: number; productId: number; questionId: number | null }
type QuestionEdit = (questions: StatedQuestion[], index: number) => StatedQuestion[]

export const questionPages: Routes<CataloguePageOptions> = (app, { sql }) => {
  /** Edits and saves the list, unless it has changed since the user saw it. A new question comes last. */
  const save = (request: FastifyRequest, place: QuestionAddress, seen: string, edit: QuestionEdit) =>
    runOnce(sql, onceOf(request, 'questions.replace'), async (tx) => {
      const { productId } = place
      const { questions, index } = await readQuestions(tx, place)
      await replaceQuestions(tx, byUser(request.session.user), {
        productId,
        questions: edit(questions, index),
        seen,
      })
      return { productId }
    })

  app.get(path, { schema: { hide: true, params: questionPathSchema } }, async (request, reply) => {
    const place = addressOf(request)
    const { rows, questions, index } = await readQuestions(sql, place)
    const shown = { values: questions[index] ?? blank, faults: null, version: versionOf(rows) }
    return sendDashboard(reply, request.session, {
      title: await titleOf(request, place),
      body: questionPage(request.session, textsFor(request), place, shown),
      assets,
    })
  })

  app.post(
    path,
    {
      schema: { hide: true, params: questionPathSchema, body: questionForm },
      attachValidation: true,
      bodyLimit: longForm,
      preValidation: splitOptions,
    },
    async (request, reply) => {
      const place = addressOf(request)
      try {
        checkForm(request)
        const { Version: seen, ...given } = request.body
        await save(request, place, seen, (questions, index) =>
          questions.toSpliced(index, 1, { ...given, ID: questions[index]?.ID }),
        )
        return reply.redirect(`${doneAt(productPath(place.productId), 'question')}#questions`, 303)
      } catch (error) {
        const shown = await showFormAgain(renameFaults(error, inForm), async () => {
          const { rows, questions, index } = await readQuestions(sql, place)
          const existing = questions[index]
          const fields = existing ? questionFieldNames : []
          return { given: request.body, existing, state: rows, fields }
        })
        return sendDashboard(reply, request.session, {
          title: await titleOf(request, place),
          body: questionPage(request.session, textsFor(request), place, shown),
          status: shown.status,
          assets,
        })
      }
    },
  )

  app.post(
    `${path}/place`,
    { schema: { hide: true, params: existingQuestionPathSchema, body: placeForm } },
    async (request, reply) => {
      const { Do, Version: seen } = request.body
      const place = addressOf(request)
      await save(request, place, seen, (questions, index) => {
        const others = questions.toSpliced(index, 1)
        if (Do === 'remove') return others
        return others.toSpliced(Math.max(0, index + (Do === 'up' ? -1 : 1)), 0, questions[index]!)
      })
      return reply.redirect(`${doneAt(productPath(place.productId), 'question')}#questions`, 303)
    },
  )

  async function titleOf(
    request: FastifyRequest,
    { accountId, productId, questionId }: QuestionAddress,
  ): Promise<string> {
    const { name } = await getProduct(sql, accountId, productId)
    return textsFor(request).say(questionId === null ? 'question.new-of' : 'question.of', { product: name })
  }
}

function addressOf({
  session,
  params,
}: {
  session: FastifyRequest['session']
  params: unknown
}): QuestionAddress {
  const { ProductID, QuestionID } = params as { ProductID: string; QuestionID: string }
  const { accountId } = session.user
  return { accountId, productId: Number(ProductID), questionId: idOrNull(QuestionID) }
}

/**
 * The questions of a product, and the position of the question in the path. A new question has the position
 * after the last question.
 * @throws Problem not-found if the product does not have this question.
 */
async function readQuestions(sql: Queryable, { accountId, productId, questionId }: QuestionAddress) {
  const rows = await listQuestions(sql, accountId, productId)
  const questions = rows.map(questionView)
  const index = questionId === null ? questions.length : questions.findIndex(({ ID }) => ID === questionId)
  if (index < 0) throw problems.notFound()
  return { rows, questions, index }
}

/** The form's name for a field of the request: the form has only one question, and one field for all its options. */
function inForm(field: string): string {
  return field.replace(/^Questions\[\d+\]\./, '').replace(/\[\d+\]$/, '')
}

/** Reads one option from each line, trims the options and drops empty ones. */
async function splitOptions(request: FastifyRequest): Promise<void> {
  const body = request.body as { Options?: string[] }
  const lines = (body.Options ?? []).flatMap((text) => text.split(/\r?\n/))
  body.Options = lines.map((line) => line.trim()).filter((line) => line !== '')
}
