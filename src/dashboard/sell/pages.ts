import type { Routes } from '../../http/routes.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { basketPages } from './basket-pages.ts'
import { slotPages } from './slot-pages.ts'

export const sellPages: Routes<DashboardOptions> = (app, options) => {
  slotPages(app, options)
  basketPages(app, options)
}
