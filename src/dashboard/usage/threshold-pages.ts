/** The page of thresholds on usage: the list, a form to set one, and a button to remove each. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { thresholdFormSchema, thresholdPathSchema, toThreshold } from '../../metering/thresholds/schemas.ts'
import { listThresholds, removeThreshold, setThreshold } from '../../metering/thresholds/service.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { inWords } from '../frame/fault-words.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount } from '../parts/amounts.ts'
import { thresholdLabels, thresholdsPage } from './threshold-views.ts'

const list = '/dashboard/usage/thresholds'

export const thresholdPages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  async function sendThresholds(
    request: FastifyRequest,
    reply: FastifyReply,
    { status = 200, ...shown }: ShownForm & { status?: number },
  ) {
    const { session } = request
    const thresholds = await listThresholds(sql, session.user.accountId)
    const t = textsFor(request)
    const body = thresholdsPage(session, t, thresholds, shown)
    const title = t.say('usage.thresholds')
    return sendDashboard(reply, session, { title, status, body, assets: ['usage.css'] })
  }

  app.get('/usage/thresholds', { schema: { hide: true } }, (request, reply) =>
    sendThresholds(request, reply, { values: {}, faults: null }),
  )

  app.post(
    '/usage/thresholds',
    {
      schema: { hide: true, body: thresholdFormSchema },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    async (request, reply) => {
      const { session, body } = request
      try {
        checkForm(request)
        await runOnce(sql, onceOf(request, 'usage.set-threshold'), (tx) =>
          setThreshold(tx, session.user.accountId, toThreshold(body)),
        )
        return reply.redirect(doneAt(list, 'threshold-set'), 303)
      } catch (error) {
        const { faults, status } = faultsOf(error)
        if (error instanceof Problem && error.slug === 'threshold-exists')
          faults.fields.set('Threshold', textsFor(request).say('threshold.exists'))
        return sendThresholds(request, reply, {
          values: body,
          faults: inWords(faults, thresholdLabels(textsFor(request))),
          status,
        })
      }
    },
  )

  app.post(
    '/usage/thresholds/:ThresholdID/remove',
    { schema: { hide: true, params: thresholdPathSchema } },
    async ({ session, params }, reply) => {
      const id = Number(params.ThresholdID)
      await runAgain(sql, (tx) => removeThreshold(tx, session.user.accountId, id))
      return reply.redirect(doneAt(list, 'threshold-removed'), 303)
    },
  )
}

/** Converts the text of the form to the values of the API. */
async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as { Threshold?: string }
  if (body.Threshold) body.Threshold = readAmount(body.Threshold, textsFor(request).locale)
}
