/** Shows a new secret once, on a page that is not cached. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../http/pages.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { onceOf } from './forms.ts'
import { sendDashboard } from './layout.ts'
import { textsFor } from './texts.ts'

export type ShownOnce = {
  operation: string
  what: 'key' | 'test-key' | 'password' | 'invitation' | 'payment-secret' | 'calendar-link' | 'webhook-secret'
  /** A sentence above the secret, for example about its user. */
  about?: string
  back: string
  make: (tx: Transaction) => Promise<string>
}

/**
 * Makes a secret once, even if its form is sent again, and shows it in the response. Neither the address of the
 * page nor the response that is stored with the idempotency key contains the secret. If the form is sent again,
 * the page says that the secret was already shown.
 */
export async function createAndShowSecret(
  sql: Sql,
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, what, about = '', back, make }: ShownOnce,
): Promise<FastifyReply> {
  let secret = ''
  const { replayed } = await runOnce(sql, onceOf(request, operation), async (tx) => {
    secret = await make(tx)
    return { made: true }
  })
  const t = textsFor(request)
  return sendDashboard(reply, request.session, {
    title: t.say(`once.title.${what}`),
    assets: ['upkeep.css'],
    body: html`${
      replayed
        ? html`<p role="alert">${t.say(`once.before.${what}`)}</p>`
        : html`<p>${about} ${t.say('once.copy')}</p>
<p class="secret"><code>${secret}</code></p>
<p class="actions"><button type="button" class="secondary" data-copy="${secret}" data-copied="${t.say('once.copied')}" hidden>${t.say('once.copy-button')}</button>
${what === 'calendar-link' ? html`<a class="button" href="${secret.replace(/^https?:/, 'webcal:')}">${t.say('once.subscribe')}</a>` : ''}</p>`
    }
<p><a href="${back}">${t.say('page.back')}</a></p>`,
  })
}
