/** The page that changes a webhook endpoint. */
import type { FastifyReply } from 'fastify'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import { endpointPathSchema, ownEndpointInputSchema } from '../../messaging/webhooks/endpoints/schemas.ts'
import { changeEndpoint, getEndpoint, settingsOf } from '../../messaging/webhooks/endpoints/service.ts'
import { endpointView, toChange } from '../../messaging/webhooks/endpoints/views.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import { type AboutEndpoint, idOf, ownerOf, pageOf, type WebhookPageOptions } from './about.ts'
import { endpointForm } from './form-views.ts'
import { compareChoices, endpointFaults, endpointTexts, inForm, normalizeEndpointForm } from './forms.ts'

const changedEndpointForm = Type.Object({ ...ownEndpointInputSchema.properties, Version: Type.String() })
const path = '/webhooks/:EndpointID/settings'

type ShownSettings = ShownForm & { version: string; status?: number }

export const settingsPages: Routes<WebhookPageOptions> = (app, { sql, settings }) => {
  app.get(path, { schema: { hide: true, params: endpointPathSchema } }, async (request, reply) => {
    const existing = await read(request)
    const version = versionOf(settingsOf(existing))
    return sendSettings(request, reply, { values: endpointView(existing), faults: null, version })
  })

  app.post(
    path,
    {
      schema: { hide: true, params: endpointPathSchema, body: changedEndpointForm },
      attachValidation: true,
      preValidation: normalizeEndpointForm,
    },
    async (request, reply) => {
      const { body } = request
      const id = idOf(request)
      try {
        checkForm(request)
        const { Version: seen, ...stated } = body
        // A field that was left empty is missing from the body. It clears the stored value.
        const change = { description: '', email: null, ...toChange(stated) }
        await runOnce(sql, onceOf(request, 'webhook.change'), async (tx) => {
          await changeEndpoint(tx, ownerOf(request), { id, change, settings, seen })
          return { id }
        })
        return reply.redirect(doneAt(pageOf(request), 'saved'), 303)
      } catch (error) {
        const shown = await showFormAgain(inForm(error), async () => {
          const endpoint = await read(request)
          const existing = endpointView(endpoint)
          const others = compareChoices(textsFor(request), body, existing)
          return { given: body, existing, state: settingsOf(endpoint), fields: endpointTexts, others }
        })
        return sendSettings(request, reply, {
          ...shown,
          faults: shown.faults && endpointFaults(textsFor(request), shown.faults),
        })
      }
    },
  )

  function read(request: AboutEndpoint) {
    return getEndpoint(sql, ownerOf(request), idOf(request))
  }

  async function sendSettings(
    request: AboutEndpoint,
    reply: FastifyReply,
    { status = 200, ...shown }: ShownSettings,
  ) {
    const { session } = request
    const { id, partnerId, body: kind } = await read(request)
    const about = { id, partners: [], isPartners: partnerId !== null, isOcto: kind === 'octo' }
    const t = textsFor(request)
    const body = endpointForm(session, t, about, shown)
    const title = t.say('webhooks.change.title')
    return sendDashboard(reply, session, { title, status, body, assets: ['upkeep.css'] })
  }
}
