/** The catalogue's pages: products, and of each its questions and schedules. */
import type { FastifyPluginAsync } from 'fastify'
import type { CataloguePageOptions } from './paths.ts'
import { productPages } from './product-pages.ts'
import { questionPages } from './question-pages.ts'
import { schedulePages } from './schedule-pages.ts'

export const cataloguePages: FastifyPluginAsync<CataloguePageOptions> = async (app, options) => {
  app.register(productPages, options)
  app.register(questionPages, options)
  app.register(schedulePages, options)
}
