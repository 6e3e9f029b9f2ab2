/** The operator's routes that read and replace the business details and the logo. */
import { byKey } from '../../events/actor.ts'
import { problemResponses, reading, writing } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { logoPath, maxLogoBytes } from './logo-model.ts'
import { describeLogo } from './logo-queries.ts'
import {
  type BusinessDetailsView,
  businessDetailsRequestSchema,
  businessDetailsSchema,
  logoRequestSchema,
} from './schemas.ts'
import { readBusinessDetails, removeLogo, replaceBusinessDetails, replaceLogo } from './service.ts'

/** The maximum size, in bytes, of a request that contains a logo in Base64. */
const bodyLimit = Math.ceil((maxLogoBytes * 4) / 3) + 1024

export const businessDetailsRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  async function readView(accountId: number): Promise<{ data: BusinessDetailsView }> {
    const [details, logo] = await Promise.all([
      readBusinessDetails(sql, accountId),
      describeLogo(sql, accountId),
    ])
    const URL = logo && `${publicUrl}${logoPath(accountId, logo.hash)}`
    return { data: { ...details, Logo: logo && { URL: URL!, Type: logo.type, Bytes: logo.bytes } } }
  }
  const answers = { 200: envelope(businessDetailsSchema), ...problemResponses(...writing) }

  app.get(
    '/business-details',
    {
      schema: {
        operationId: 'readBusinessDetails',
        tags: ['Payments'],
        summary: 'Read the business details on receipts',
        description:
          'Includes the language, colour and logo of customers’ pages and e-mails. A test account has its own business details.',
        response: { 200: envelope(businessDetailsSchema), ...problemResponses(...reading) },
      },
    },
    (request) => readView(request.caller.accountId),
  )

  app.put(
    '/business-details',
    {
      schema: {
        operationId: 'replaceBusinessDetails',
        tags: ['Payments'],
        summary: 'Replace the business details on receipts',
        description:
          'Replaces all fields except the logo; a field that is left out is removed. The change applies to receipts, e-mails and customers’ pages from then on, also for earlier sales.',
        body: businessDetailsRequestSchema,
        response: answers,
      },
    },
    async ({ caller, body }) => {
      await runAgain(sql, (tx) => replaceBusinessDetails(tx, byKey(caller), body))
      return readView(caller.accountId)
    },
  )

  app.put(
    '/business-details/logo',
    {
      bodyLimit,
      schema: {
        operationId: 'replaceLogo',
        tags: ['Payments'],
        summary: 'Set the logo that customers see',
        description:
          'The logo is shown on customers’ pages, tickets, receipts and e-mails. Its type is detected from its bytes. Anybody who has its URL can read it.',
        body: logoRequestSchema,
        response: answers,
      },
    },
    async ({ caller, body }) => {
      const image = Buffer.from(body.Image, 'base64')
      await runAgain(sql, (tx) => replaceLogo(tx, byKey(caller), image))
      return readView(caller.accountId)
    },
  )

  app.delete(
    '/business-details/logo',
    {
      schema: {
        operationId: 'removeLogo',
        tags: ['Payments'],
        summary: 'Remove the logo',
        description: 'Customers’ pages and e-mails then show the name of the account.',
        response: answers,
      },
    },
    async ({ caller }) => {
      await runAgain(sql, (tx) => removeLogo(tx, byKey(caller)))
      return readView(caller.accountId)
    },
  )
}
