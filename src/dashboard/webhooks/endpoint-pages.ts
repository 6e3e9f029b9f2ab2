/** The page of a webhook endpoint: pause, resume, secrets, tests, replays, delete. */
import type { FastifyReply } from 'fastify'
import type { Routes } from '../../http/routes.ts'
import { replay, sendTest } from '../../messaging/webhooks/deliveries/service.ts'
import { endpointPathSchema, secretPathSchema } from '../../messaging/webhooks/endpoints/schemas.ts'
import * as service from '../../messaging/webhooks/endpoints/service.ts'
import { endpointView } from '../../messaging/webhooks/endpoints/views.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { inWords } from '../frame/fault-words.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { createAndShowSecret } from '../frame/shown-once.ts'
import { textsFor } from '../frame/texts.ts'
import { type AboutEndpoint, idOf, ownerOf, pageOf, type WebhookPageOptions } from './about.ts'
import { deleteEndpointPage, endpointPage, replayLabels } from './endpoint-views.ts'
import { endpointsPath } from './list-views.ts'
import { readReplay, replayForm } from './replay-form.ts'

const path = '/webhooks/:EndpointID'
const schema = { hide: true, params: endpointPathSchema }
const assets = ['upkeep.css']

export const endpointPages: Routes<WebhookPageOptions> = (app, { sql, settings }) => {
  app.get(path, { schema }, (request, reply) => sendEndpoint(request, reply, {}))

  const states = [
    ['pause', service.pauseEndpoint, 'webhook-paused'],
    ['resume', service.resumeEndpoint, 'webhook-resumed'],
  ] as const
  for (const [name, change, word] of states) {
    app.post(`${path}/${name}`, { schema }, async (request, reply) => {
      await runAgain(sql, (tx) => change(tx, ownerOf(request), idOf(request)))
      return reply.redirect(doneAt(pageOf(request), word), 303)
    })
  }

  app.post(`${path}/test`, { schema }, (request, reply) =>
    showRefusal(request, reply, async () => {
      await runOnce(sql, onceOf(request, 'webhook.test'), async (tx) => {
        const { id } = await sendTest(tx, ownerOf(request), idOf(request))
        return { id }
      })
      return reply.redirect(doneAt(pageOf(request), 'webhook-test'), 303)
    }),
  )

  app.post(
    `${path}/replay`,
    { schema: { ...schema, body: replayForm }, attachValidation: true },
    (request, reply) =>
      showRefusal(request, reply, async () => {
        checkForm(request)
        const from = readReplay(request.body, request.session.user.timeZone)
        const { answer } = await runOnce(sql, onceOf(request, 'webhook.replay'), (tx) =>
          replay(tx, ownerOf(request), idOf(request), from),
        )
        const word = answer.events > 0 ? 'webhook-replayed' : 'webhook-nothing-to-replay'
        return reply.redirect(doneAt(pageOf(request), word), 303)
      }),
  )

  app.post(`${path}/secrets`, { schema }, (request, reply) =>
    showRefusal(request, reply, () =>
      createAndShowSecret(sql, request, reply, {
        operation: 'webhook.secret',
        what: 'webhook-secret',
        about: textsFor(request).say('webhooks.both-secrets'),
        back: pageOf(request),
        make: async (tx) =>
          (await service.addSecret(tx, ownerOf(request), { id: idOf(request), settings })).secret,
      }),
    ),
  )

  app.post(
    `${path}/secrets/:SecretID/delete`,
    { schema: { hide: true, params: secretPathSchema } },
    (request, reply) =>
      showRefusal(request, reply, async () => {
        const which = { id: idOf(request), secretId: Number(request.params.SecretID) }
        await runOnce(sql, onceOf(request, 'webhook.secret-delete'), async (tx) => {
          await service.deleteSecret(tx, ownerOf(request), which)
          return which
        })
        return reply.redirect(doneAt(pageOf(request), 'webhook-secret-deleted'), 303)
      }),
  )

  app.get(`${path}/delete`, { schema }, async (request, reply) => {
    const { session } = request
    const t = textsFor(request)
    const endpoint = await service.getEndpoint(sql, ownerOf(request), idOf(request))
    const body = deleteEndpointPage(session, t, endpointView(endpoint))
    return sendDashboard(reply, session, { title: t.say('webhooks.delete.title'), body, assets })
  })

  app.post(`${path}/delete`, { schema }, async (request, reply) => {
    const id = idOf(request)
    await runOnce(sql, onceOf(request, 'webhook.delete'), async (tx) => {
      await service.deleteEndpoint(tx, ownerOf(request), id)
      return { id }
    })
    return reply.redirect(doneAt(endpointsPath, 'webhook-deleted'), 303)
  })

  /** Runs `work`. If that throws an error that the user can correct, shows it on the page of the endpoint. */
  async function showRefusal(request: AboutEndpoint, reply: FastifyReply, work: () => Promise<FastifyReply>) {
    try {
      return await work()
    } catch (error) {
      const { faults, status } = faultsOf(error)
      // An unknown endpoint has no page that could show the refusal.
      if (status === 404) throw error
      return sendEndpoint(request, reply, {
        faults: inWords(faults, replayLabels(textsFor(request))),
        status,
      })
    }
  }

  async function sendEndpoint(
    request: AboutEndpoint,
    reply: FastifyReply,
    { faults = null, status = 200 }: { faults?: FormFaults; status?: number },
  ) {
    const { session } = request
    const endpoint = await service.getEndpoint(sql, ownerOf(request), idOf(request))
    const shown = { values: faults ? (request.formFields ?? {}) : {}, faults }
    const body = endpointPage(session, textsFor(request), endpointView(endpoint), shown)
    return sendDashboard(reply, session, {
      title: textsFor(request).say('webhooks.endpoint.title'),
      status,
      body,
      assets,
    })
  }
}
