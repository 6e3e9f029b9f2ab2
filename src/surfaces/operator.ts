/** The operator's interface: keys of scope `operator`, under /api/v2/operator. */
import type { FastifyPluginAsync } from 'fastify'
import { emailRoutes } from '../emails/routes.ts'
import { createWakeUp } from '../queue/wake-up.ts'
import type { Services } from '../services.ts'
import { workflowRoutes } from '../workflows/routes.ts'
import { type Authenticate, protect } from './authentication.ts'

export const operatorSurface: FastifyPluginAsync<{ services: Services; authenticate: Authenticate }> = async (
  app,
  { services, authenticate },
) => {
  const { sql, config, queue } = services
  protect(app, authenticate, 'operator')
  const wakeEmails = createWakeUp(queue, 'emails.send')
  app.register(emailRoutes, { sql, publicUrl: config.PUBLIC_URL, wakeEmails })
  app.register(workflowRoutes, { sql, publicUrl: config.PUBLIC_URL, wakeEmails })
}
