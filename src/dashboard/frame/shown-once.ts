/** What nobody can be shown a second time: made in a transaction of its own, and put on one page that none may keep. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../http/pages.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { onceOf } from './forms.ts'
import { sendDashboard } from './layout.ts'

export type ShownOnce = {
  operation: string
  /** What is made, as a title and inside a sentence: `key`. */
  what: string
  /** Said above it: whose it is. */
  about?: string
  back: string
  make: (tx: Transaction) => Promise<string>
}

/**
 * Makes a secret by a form, once however often the form is sent, and shows it in the answer: it is in no address and
 * kept nowhere, not even with the form's key. Whoever sends the form again is told that it was shown.
 */
export async function makeAndShow(
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
  return sendDashboard(reply, request.session, {
    title: `New ${what}`,
    assets: ['upkeep.css'],
    body: html`${
      replayed
        ? html`<p role="alert">This ${what} was made before, and shown then. It cannot be shown again: if it is lost, end it and make another.</p>`
        : html`<p>${about} Copy it now: this is the only time that it is shown.</p>
<p class="secret"><code>${secret}</code></p>`
    }
<p><a href="${back}">Back</a></p>`,
  })
}
