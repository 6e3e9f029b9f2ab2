/** The OpenAPI document of the application in this checkout, without a server and without stores. */
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { closeServices, openServices } from '../src/services.ts'

export type Schema = { [keyword: string]: unknown; properties?: Record<string, Schema> }
type Content = Record<string, { schema?: Schema }>
export type Operation = {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas?: Record<string, Schema> }
}

// No server listens there. The document needs no store, and no request is sent.
const noDatabase = 'postgres://127.0.0.1:1/none'

/** The document as `/openapi.json` serves it. */
export async function readOpenApiDocument(): Promise<OpenApiDocument> {
  const services = openServices(readConfig({ LOG_LEVEL: 'silent' }), noDatabase, 'web')
  const app = await buildApp(services)
  try {
    await app.ready()
    return app.swagger() as unknown as OpenApiDocument
  } finally {
    await app.close()
    await closeServices(services)
  }
}
