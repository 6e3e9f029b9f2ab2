/** Who the operator is in business, for the operator to read and to set. */
import { byKey } from '../../events/actor.ts'
import { problemResponses, reading, writing } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { logoPath, mostLogoBytes } from './logo-model.ts'
import { describeLogo } from './logo-queries.ts'
import {
  type BusinessDetailsView,
  businessDetailsRequestSchema,
  businessDetailsSchema,
  logoRequestSchema,
} from './schemas.ts'
import { readBusinessDetails, removeLogo, replaceBusinessDetails, replaceLogo } from './service.ts'

/** Bytes of a request with the largest logo. */
const bodyLimit = Math.ceil((mostLogoBytes * 4) / 3) + 1024

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
          'With the language and look of what customers read. Of the account of the key; a test account has its own.',
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
          'All fields but the logo; one that is left out is set no more. Receipts, e-mails and the pages of customers follow from then on, also those of earlier sales.',
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
          'On customers’ pages, tickets, receipts and e-mails. What it is, its bytes say. It can be read by everybody who has its URL.',
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
