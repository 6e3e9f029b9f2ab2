/**
 * The pages of the catalogue: products with their units, questions, refund terms, schedules and translations.
 */
import type { Routes } from '../../http/routes.ts'
import type { CataloguePageOptions } from './paths.ts'
import { productPages } from './product-pages.ts'
import { questionPages } from './question-pages.ts'
import { refundPages } from './refund-pages.ts'
import { schedulePages } from './schedule-pages.ts'
import { translationPages } from './translation-pages.ts'
import { unitPages } from './unit-pages.ts'

export const cataloguePages: Routes<CataloguePageOptions> = (app, options) => {
  productPages(app, options)
  unitPages(app, options)
  questionPages(app, options)
  refundPages(app, options)
  schedulePages(app, options)
  translationPages(app, options)
}
