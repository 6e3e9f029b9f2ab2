/**
 * The pages of partners, for owners: the list with what partners owe, scorecards, API keys, payment secrets and terms.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { defaultOverlapHours } from '../../accounts/model.ts'
import { newKeySchema } from '../../accounts/schemas.ts'
import {
  AccountError,
  createKey,
  KeyNotLiveError,
  listKeys,
  listPartners,
  revokeKey,
  rotateKey,
} from '../../accounts/service.ts'
import { idInPathSchema } from '../../catalogue/schemas.ts'
import { html } from '../../http/pages.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { markupOf } from '../../http/text-markup.ts'
import { faultIn } from '../../languages/faults.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { listOwedByMonth } from '../../reports/sales/statement/service.ts'
import { listScorecards } from '../../reports/scorecards/service.ts'
import { createSecretWithin, listSecrets, revokeSecret, SecretError } from '../../sales/payment/secrets.ts'
import { createTestKeyWithin, openTestMode } from '../../test-mode/service.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultsOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { createAndShowSecret } from '../frame/shown-once.ts'
import { textsFor } from '../frame/texts.ts'
import { emptyKeyForm, keyFaults, keySection } from './keys.ts'
import { partnerList } from './list-views.ts'
import { scorecardSection } from './scorecards.ts'
import { secretSection } from './secrets.ts'
import { termsPages } from './terms-pages.ts'

type PartnerPageOptions = { sql: Sql; secretKeys: readonly string[] }

const path = '/dashboard/partners'
const keySchema = { hide: true, params: Type.Object({ KeyID: idInPathSchema }) }
const keyForm = Type.Object({ ...newKeySchema.properties, Mode: Type.Optional(Type.Enum(['live', 'test'])) })
const querySchema = Type.Object({ days: Type.Optional(Type.Enum(['1', '7', '30'])) })

export const partnerPages: Routes<PartnerPageOptions> = (app, { sql, secretKeys }) => {
  termsPages(app, { sql })

  app.get('/partners', { schema: { hide: true, querystring: querySchema } }, (request, reply) =>
    sendPartners(request, reply, { days: Number(request.query.days ?? 7) }),
  )

  app.post(
    '/partners/keys',
    { schema: { hide: true, body: keyForm }, attachValidation: true },
    async (request, reply) => {
      try {
        checkForm(request)
      } catch (error) {
        const { faults, status } = faultsOf(error)
        const form = { values: request.body, faults: keyFaults(textsFor(request), faults) }
        return sendPartners(request, reply, { days: 7, form, status })
      }
      const { Mode: mode, Partner, Scopes, ExpiresInDays } = request.body
      const { accountId } = request.session.user
      const key = {
        accountId,
        partner: Partner?.trim() ?? null,
        scopes: Scopes,
        expiresInDays: ExpiresInDays ?? null,
      }
      if (mode === 'test') await openTestMode(sql, accountId)
      return createAndShowSecret(sql, request, reply, {
        operation: 'key.create',
        what: mode === 'test' ? 'test-key' : 'key',
        back: path,
        make: (tx) => (mode === 'test' ? createTestKeyWithin(tx, key) : createKey(tx, key)),
      })
    },
  )

  app.post('/partners/keys/:KeyID/rotate', { schema: keySchema }, async (request, reply) => {
    const { accountId } = request.session.user
    const id = Number(request.params.KeyID)
    try {
      return await createAndShowSecret(sql, request, reply, {
        operation: 'key.rotate',
        what: 'key',
        about: textsFor(request).say('partners.rotated', { id, hours: defaultOverlapHours }),
        back: path,
        make: (tx) => rotateKey(tx, id, { overlapHours: defaultOverlapHours, accountId }),
      })
    } catch (error) {
      if (!(error instanceof KeyNotLiveError)) return unknownTo(AccountError)(error)
      const t = textsFor(request)
      const fault = t.say('partners.nothing-made', { reason: faultIn(t, error.message) })
      return sendPartners(request, reply, { days: 7, fault, status: 409 })
    }
  })

  app.post('/partners/keys/:KeyID/revoke', { schema: keySchema }, async ({ session, params }, reply) => {
    await revokeKey(sql, Number(params.KeyID), session.user.accountId).catch(unknownTo(AccountError))
    return reply.redirect(doneAt(path, 'key-revoked'), 303)
  })

  app.post('/partners/secrets', { schema: { hide: true } }, async (request, reply) => {
    const { accountId } = request.session.user
    if (secretKeys.length === 0) throw problems.notFound()
    try {
      return await createAndShowSecret(sql, request, reply, {
        operation: 'payment-secret.create',
        what: 'payment-secret',
        back: path,
        make: (tx) => createSecretWithin(tx, secretKeys, accountId),
      })
    } catch (error) {
      if (!(error instanceof SecretError)) throw error
      const t = textsFor(request)
      const fault = t.say('partners.nothing-made', { reason: faultIn(t, error.message) })
      return sendPartners(request, reply, { days: 7, fault, status: 409 })
    }
  })

  app.post(
    '/partners/secrets/:SecretID/revoke',
    { schema: { hide: true, params: Type.Object({ SecretID: idInPathSchema }) } },
    async ({ session, params }, reply) => {
      await revokeSecret(sql, session.user.accountId, Number(params.SecretID)).catch(unknownTo(SecretError))
      return reply.redirect(doneAt(path, 'secret-revoked'), 303)
    },
  )

  async function sendPartners(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      days,
      fault,
      form = emptyKeyForm,
      status = 200,
    }: { days: number; fault?: string; form?: ShownForm; status?: number },
  ): Promise<FastifyReply> {
    const { session } = request
    const { accountId } = session.user
    const t = textsFor(request)
    const cards = await listScorecards(sql, accountId, days)
    const scorecards = scorecardSection(cards, days, t)
    if (session.mode === 'test') {
      const body = html`${scorecards}
<p>${markupOf(t, 'partners.keys-elsewhere', { keys: (words) => html`<a href="${path}/keys">${words}</a>` })}</p>`
      return sendDashboard(reply, session, { title: t.say('partners.title'), assets: ['upkeep.css'], body })
    }
    const today = dateIn(session.user.timeZone, new Date())
    const [keys, partners, owed, secrets] = await Promise.all([
      listKeys(sql, accountId),
      listPartners(sql, accountId),
      listOwedByMonth(sql, accountId, { from: today, to: today }),
      secretKeys.length > 0 ? listSecrets(sql, secretKeys, accountId) : null,
    ])
    return sendDashboard(reply, session, {
      title: t.say('partners.title'),
      status,
      assets: ['upkeep.css'],
      body: html`${fault ? html`<p role="alert" class="fault">${fault}</p>` : ''}
${partnerList(t, { partners, owed, month: today.slice(0, 7) })}
${keySection({ session, keys, partners, form, t })}
${cards.length > 0 ? scorecards : ''}
${secretSection({ session, secrets, t })}`,
    })
  }
}

/** Replaces a service's error about an unknown id with the problem `not-found`. */
function unknownTo(kind: new (message: string) => Error) {
  return (error: unknown): never => {
    throw error instanceof kind ? problems.notFound() : error
  }
}
