/** OCTO's routes for the products of the shopfront. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listLanguages } from '../../catalogue/translation-queries.ts'
import { setContentLanguage, wantedLanguages } from '../../catalogue/translations/negotiation.ts'
import type { Routes } from '../../http/routes.ts'
import type { Read } from '../../platform/postgres/replica.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { capabilitiesOf } from '../capabilities.ts'
import { octoResponses, sendOcto } from '../responses.ts'
import { listOctoProducts, type OctoProduct } from './queries.ts'
import { octoProductSchema } from './schemas.ts'
import { getOctoProduct } from './service.ts'
import { productView } from './view.ts'

export const octoProductRoutes: Routes<{ read: Read }> = (app, { read }) => {
  /**
   * With `octo/content`, sets the headers for the languages of these products and for all languages of the catalogue.
   */
  async function setLanguageHeaders(
    request: FastifyRequest,
    reply: FastifyReply,
    products: readonly OctoProduct[],
  ): Promise<void> {
    if (!capabilitiesOf(request).content) return
    const { accountId, language } = request.caller
    setContentLanguage(request, reply, products)
    const translated = await read((sql) => listLanguages(sql, accountId))
    reply.header('available-languages', [...new Set([language, ...translated])].join(', '))
  }

  app.get(
    '/products',
    {
      schema: {
        operationId: 'octoListProducts',
        tags: ['OCTO'],
        summary: 'List the products that are on sale',
        description:
          'All products of the shopfront, each with one option. With `octo/content`, each is in the first language of `Accept-Language` that it is translated to.',
        response: { 200: Type.Array(octoProductSchema), ...octoResponses },
      },
    },
    async (request, reply) => {
      const { accountId, partnerId } = request.caller
      const languages = wantedLanguages(request)
      const products = await read((sql) => listOctoProducts(sql, { accountId, partnerId, languages }))
      const capabilities = capabilitiesOf(request)
      await setLanguageHeaders(request, reply, products)
      return sendOcto(
        reply,
        products.map((product) => productView(product, capabilities)),
      )
    },
  )

  app.get(
    '/products/:productId',
    {
      schema: {
        operationId: 'octoGetProduct',
        tags: ['OCTO'],
        summary: 'Read one product',
        description:
          'A product that is not in the shopfront and an unknown id both get `INVALID_PRODUCT_ID`.',
        params: Type.Object({
          productId: Type.String({ examples: ['s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10'] }),
        }),
        response: { 200: octoProductSchema, ...octoResponses },
      },
    },
    async (request, reply) => {
      const languages = wantedLanguages(request)
      const product = await getOctoProduct(read, request.caller, request.params.productId, languages)
      await setLanguageHeaders(request, reply, [product])
      return sendOcto(reply, productView(product, capabilitiesOf(request)))
    },
  )
}
