/** The form in which owners upload the logo that customers see, and the button that removes it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { removeLogo, replaceLogo } from '../../sales/business-details/service.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt } from '../frame/layout.ts'

/** Larger than the largest allowed logo, so that the error for a logo that is too large names the field. */
const formBytes = 4 * 1024 * 1024
const formSchema = Type.Object({ Image: Type.String() })

export type LogoForms = {
  sql: Sql
  /** Shows the page again, with the faults. */
  sendAgain: (
    request: FastifyRequest,
    reply: FastifyReply,
    refused: { faults: NonNullable<FormFaults>; status: number },
  ) => Promise<FastifyReply>
}

/** Register it as a plugin, so that its parser for multipart forms serves these routes only. */
export async function logoForms(app: FastifyInstance, { sql, sendAgain }: LogoForms): Promise<void> {
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, readUpload)

  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Transaction) => Promise<void>,
  ): Promise<FastifyReply> {
    try {
      checkForm(request)
      await runOnce(sql, onceOf(request, 'logo.change'), async (tx) => {
        await work(tx)
        return { changed: true }
      })
    } catch (error) {
      return sendAgain(request, reply, faultsOf(error))
    }
    return reply.redirect(doneAt('/dashboard/business-details', 'saved'), 303)
  }

  app.post<{ Body: { Image: string } }>(
    '/business-details/logo',
    { schema: { hide: true, body: formSchema }, bodyLimit: formBytes, attachValidation: true },
    (request, reply) =>
      change(request, reply, (tx) =>
        replaceLogo(tx, byUser(request.session.user), Buffer.from(request.body.Image, 'base64')),
      ),
  )

  app.post('/business-details/logo/remove', { schema: { hide: true } }, (request, reply) =>
    change(request, reply, (tx) => removeLogo(tx, byUser(request.session.user))),
  )
}

/** Reads the fields of a multipart form. A file becomes Base64 text. */
async function readUpload({ headers }: FastifyRequest, body: Buffer | string): Promise<object> {
  const upload = new Response(body as Buffer, { headers: { 'content-type': headers['content-type'] ?? '' } })
  const fields = await upload.formData().catch(() => {
    throw problems.malformedRequest('The form cannot be read.')
  })
  const read = [...fields].map(async ([name, value]) => {
    if (typeof value === 'string') return [name, value] as const
    return [name, Buffer.from(await value.arrayBuffer()).toString('base64')] as const
  })
  return Object.fromEntries(await Promise.all(read))
}
