/** The page on which owners change the business details, which receipts and the pages for customers show. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { faultIn } from '../../languages/faults.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { businessDetailsRequestSchema, maxAddressLines } from '../../sales/business-details/schemas.ts'
import {
  findSeller,
  readBusinessDetails,
  replaceBusinessDetails,
} from '../../sales/business-details/service.ts'
import { inWords } from '../frame/fault-words.ts'
import { textsOf } from '../frame/form-body.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { logoForms } from './logo-pages.ts'
import { businessLabels, detailsForm, logoForm } from './views.ts'

const path = '/dashboard/business-details'

export const businessDetailsPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get('/business-details', { schema: { hide: true } }, async (request, reply) =>
    send(request, reply, { values: await readValues(request), faults: null }),
  )

  app.post(
    '/business-details',
    {
      schema: { hide: true, body: businessDetailsRequestSchema },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    async (request, reply) => {
      const { session, body, formFields } = request
      try {
        checkForm(request)
        await runOnce(sql, onceOf(request, 'business-details.change'), async (tx) => {
          await replaceBusinessDetails(tx, byUser(session.user), body)
          return { changed: true }
        })
      } catch (error) {
        const { faults, status } = faultsOf(error)
        return send(
          request,
          reply,
          { values: formFields, faults: ofFields(textsFor(request), faults) },
          { status },
        )
      }
      return reply.redirect(doneAt(path, 'saved'), 303)
    },
  )

  app.register(logoForms, {
    sql,
    sendAgain: async (request, reply, { faults, status }) => {
      const shown = { values: await readValues(request), faults: null }
      return send(request, reply, shown, {
        status,
        ofLogo: inWords(faults, businessLabels(textsFor(request))),
      })
    },
  })

  async function readValues({ session }: FastifyRequest): Promise<object> {
    const { AddressLines, ...details } = await readBusinessDetails(sql, session.user.accountId)
    return { ...details, AddressLines: AddressLines.join('\n') }
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: ShownForm,
    { status = 200, ofLogo = null }: { status?: number; ofLogo?: FormFaults } = {},
  ) {
    const { session } = request
    const t = textsFor(request)
    const { logoPath } = await findSeller(sql, session.user.accountId)
    const body = html`${detailsForm(session, t, shown)}\n${logoForm(session, t, logoPath, ofLogo)}`
    return sendDashboard(reply, session, { title: t.say('business.title'), status, body })
  }
}

/**
 * Trims the values, makes empty values null, and writes the colour in lower case. The address is one field
 * with several lines: splits it into lines and drops empty lines.
 */
async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as Record<string, unknown>
  for (const [name, value] of Object.entries(body))
    if (typeof value === 'string') body[name] = value.trim() === '' ? null : value.trim()
  if (typeof body.Colour === 'string') body.Colour = body.Colour.toLowerCase()
  const [text = ''] = textsOf(request.formFields, 'AddressLines')
  body.AddressLines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/**
 * Adds the labels of the form to the faults. A fault of one line of the address becomes a fault of the field
 * that has all lines.
 */
function ofFields(t: Texts, faults: NonNullable<FormFaults>): NonNullable<FormFaults> {
  const fields = new Map<string, string>()
  for (const [field, message] of faults.fields) {
    const line = /^AddressLines\[(\d+)\]/.exec(field)?.[1]
    if (line !== undefined)
      fields.set(
        'AddressLines',
        t.say('business.line', { number: Number(line) + 1, fault: faultIn(t, message) }),
      )
    else if (field === 'AddressLines')
      fields.set(field, t.say('business.too-many-lines', { count: maxAddressLines }))
    else fields.set(field, message)
  }
  return inWords({ ...faults, fields }, businessLabels(t))
}
