/**
 * The interface for metered usage, under /api/v2/usage. Keys with scope `usage:write` record and void usage, and set
 * and remove thresholds; keys with scope `usage:read` read totals, entries and thresholds.
 */
import type { FastifyPluginAsync } from 'fastify'
import { compressGets } from '../http/compression.ts'
import { createRecording } from '../metering/ingest/recording.ts'
import { usageReadRoutes, usageWriteRoutes } from '../metering/read/routes.ts'
import type { Reading } from '../metering/read/service.ts'
import { thresholdReadRoutes, thresholdWriteRoutes } from '../metering/thresholds/routes.ts'
import type { Services } from '../services.ts'
import { type Authenticate, protect } from './authentication.ts'

export const usageSurface: FastifyPluginAsync<{
  services: Services
  authenticate: Authenticate
  reading: Reading
}> = async (app, { services, authenticate, reading }) => {
  const { config, sql } = services
  const recording = createRecording(services)
  app.addHook('onClose', () => recording.drain())
  app.register(async (scope) => {
    protect(scope, authenticate, 'usage:write')
    usageWriteRoutes(scope, { recording, reading })
    thresholdWriteRoutes(scope, { sql })
  })
  app.register(async (scope) => {
    protect(scope, authenticate, 'usage:read')
    compressGets(scope)
    usageReadRoutes(scope, { reading, publicUrl: config.PUBLIC_URL })
    thresholdReadRoutes(scope, { sql })
  })
}
