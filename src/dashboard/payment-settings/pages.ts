/** The page on which owners set how customers pay for held places. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { paymentSettingsRequestSchema } from '../../sales/payment-settings/schemas.ts'
import { findSettings, replacePaymentSettings } from '../../sales/payment-settings/service.ts'
import { inWords } from '../frame/fault-words.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { paySettingsLabels, settingsForm } from './views.ts'

const path = '/dashboard/payment-settings'

export const paymentSettingsPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get('/payment-settings', { schema: { hide: true } }, async (request, reply) => {
    const { paymentPage, contact } = await findSettings(sql, request.session.user.accountId)
    return send(request, reply, { values: { PaymentPage: paymentPage, Contact: contact }, faults: null })
  })

  app.post(
    '/payment-settings',
    { schema: { hide: true, body: paymentSettingsRequestSchema }, attachValidation: true },
    async (request, reply) => {
      const { session, body } = request
      try {
        checkForm(request)
        await runOnce(sql, onceOf(request, 'payment-settings.change'), (tx) =>
          replacePaymentSettings(tx, byUser(session.user), body),
        )
      } catch (error) {
        const { faults, status } = faultsOf(error)
        return send(
          request,
          reply,
          { values: body, faults: inWords(faults, paySettingsLabels(textsFor(request))) },
          status,
        )
      }
      return reply.redirect(doneAt(path, 'saved'), 303)
    },
  )
}

function send(request: FastifyRequest, reply: FastifyReply, shown: ShownForm, status = 200) {
  const t = textsFor(request)
  return sendDashboard(reply, request.session, {
    title: t.say('pay-settings.title'),
    status,
    body: settingsForm(request.session, t, shown),
  })
}
