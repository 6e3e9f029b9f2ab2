/** The interface for systems of the operator, under /api/v2/operator, with keys of scope `operator`. */
import type { FastifyPluginAsync } from 'fastify'
import { partnerTermsRoutes } from '../catalogue/partner-terms/routes.ts'
import { productRoutes } from '../catalogue/products/operator-routes.ts'
import { refundTermsRoutes } from '../catalogue/refund-terms/routes.ts'
import { scheduleRoutes } from '../catalogue/schedules/editing/routes.ts'
import { timeslotRoutes } from '../catalogue/timeslots/editing/routes.ts'
import { translationRoutes } from '../catalogue/translations/routes.ts'
import { unitRoutes } from '../catalogue/units/routes.ts'
import { compressGets } from '../http/compression.ts'
import { emailRoutes } from '../messaging/emails/routes.ts'
import { messageRoutes } from '../messaging/messages/routes.ts'
import { deliveryRoutes } from '../messaging/webhooks/deliveries/routes.ts'
import { endpointRoutes } from '../messaging/webhooks/endpoints/routes.ts'
import { webhookSecretRoutes } from '../messaging/webhooks/endpoints/secret-routes.ts'
import { endpointSettings } from '../messaging/webhooks/endpoints/settings.ts'
import { workflowRoutes } from '../messaging/workflows/routes.ts'
import { reportRoutes } from '../reports/sales/report/routes.ts'
import { statementRoutes } from '../reports/sales/statement/routes.ts'
import { basketPromotionRoutes } from '../sales/basket/promotion-routes.ts'
import { basketRoutes } from '../sales/basket/routes.ts'
import { tillRoutes } from '../sales/basket/till-routes.ts'
import { changeRoutes } from '../sales/booking/changes/routes.ts'
import { deskRoutes } from '../sales/booking/desk/routes.ts'
import { businessDetailsRoutes } from '../sales/business-details/routes.ts'
import { closureCallRoutes } from '../sales/closure/calls/routes.ts'
import { closureRoutes } from '../sales/closure/routes.ts'
import { refundRoutes } from '../sales/ledger/refund-routes.ts'
import { noteRoutes } from '../sales/note/routes.ts'
import { paymentSettingsRoutes } from '../sales/payment-settings/routes.ts'
import { promotionRoutes } from '../sales/promotion/routes.ts'
import { ticketRoutes } from '../sales/ticket/routes.ts'
import { tillsRoutes } from '../sales/till/routes.ts'
import { waitlistRoutes } from '../sales/waitlist/routes.ts'
import type { Services } from '../services.ts'
import { type Authenticate, protect } from './authentication.ts'
import { countBookings } from './count-calls.ts'

export const operatorSurface: FastifyPluginAsync<{ services: Services; authenticate: Authenticate }> = async (
  app,
  { services, authenticate },
) => {
  const { sql, config, metrics, renders } = services
  const publicUrl = config.PUBLIC_URL
  protect(app, authenticate, 'operator')
  // Lists and reports may be long.
  compressGets(app)
  countBookings(app, metrics.bookingOperations)
  deskRoutes(app, { sql, publicUrl })
  changeRoutes(app, { sql })
  noteRoutes(app, { sql })
  ticketRoutes(app, { sql })
  basketRoutes(app, { sql, publicUrl })
  basketPromotionRoutes(app, { sql })
  tillRoutes(app, { sql })
  tillsRoutes(app, { sql, publicUrl })
  promotionRoutes(app, { sql, publicUrl })
  paymentSettingsRoutes(app, { sql })
  businessDetailsRoutes(app, { sql, publicUrl })
  waitlistRoutes(app, { sql, publicUrl })
  const catalogue = { sql, publicUrl, horizonDays: config.SCHEDULE_HORIZON_DAYS }
  productRoutes(app, catalogue)
  unitRoutes(app, { sql })
  translationRoutes(app, { sql })
  refundTermsRoutes(app, { sql })
  partnerTermsRoutes(app, { sql })
  scheduleRoutes(app, catalogue)
  timeslotRoutes(app, catalogue)
  closureRoutes(app, { sql })
  closureCallRoutes(app, { sql })
  reportRoutes(app, { sql })
  refundRoutes(app, { sql, publicUrl })
  statementRoutes(app, { sql, publicUrl })
  emailRoutes(app, { sql, publicUrl })
  messageRoutes(app, { sql, renders })
  workflowRoutes(app, { sql, publicUrl, renders })
  const webhooks = { sql, publicUrl, audience: 'operator', settings: endpointSettings(config) } as const
  endpointRoutes(app, webhooks)
  webhookSecretRoutes(app, webhooks)
  deliveryRoutes(app, webhooks)
}
