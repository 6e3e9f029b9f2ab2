/** The operator's routes for the texts of a product in other languages. */
import { byKey } from '../../events/actor.ts'
import { changing, problemResponses, reading } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { productPathSchema } from '../schemas.ts'
import { translationListSchema, translationSchema } from './schemas.ts'
import { readTranslations, replaceTranslations } from './service.ts'
import { translationViews } from './views.ts'

/** In bytes. Enough for a long description and long questions in many languages. */
const bodyLimit = 1024 * 1024

export const translationRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  const response = { 200: envelope(Type.Array(translationSchema)) }

  app.get(
    '/products/:ProductID/translations',
    {
      schema: {
        operationId: 'readTranslations',
        tags: ['Catalogue'],
        summary: 'List a product’s texts in other languages',
        description: 'Ordered by language. The translation of a text that is not translated is null.',
        params: productPathSchema,
        response: { ...response, ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const id = Number(request.params.ProductID)
      return { data: translationViews(await readTranslations(sql, request.caller.accountId, id)) }
    },
  )

  app.put(
    '/products/:ProductID/translations',
    {
      bodyLimit,
      schema: {
        operationId: 'replaceTranslations',
        tags: ['Catalogue'],
        summary: 'Replace a product’s texts in other languages',
        description:
          'Send all languages. The product’s own texts are in the language of the account, or in the language that the account had when its first product was translated. Partners and customers get the translation to the first of their languages that the product has. A text that this translation lacks stays in the product’s own language. If the name of a unit, a question or an option changes, send its translation again; translations of the name and the description stay.',
        params: productPathSchema,
        body: translationListSchema,
        response: { ...response, ...problemResponses(...changing, 'not-found') },
      },
    },
    async (request) => {
      const { Translations: translations } = request.body
      const given = { productId: Number(request.params.ProductID), translations }
      return {
        data: translationViews(
          await runAgain(sql, (tx) => replaceTranslations(tx, byKey(request.caller), given)),
        ),
      }
    },
  )
}
