/** The secrets with which a payment provider signs: at most two, so that one can replace the other. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { SecretRecord } from '../../sales/payment/secrets.ts'
import { postForm } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

const kinds = { live: 'good', revoked: 'quiet', unreadable: 'bad' } as const

/** `secrets` is null if the service has no SECRET_KEY for sealing them. */
type SecretsView = { session: Session; secrets: readonly SecretRecord[] | null; t: Texts }

export function secretSection({ session, secrets, t }: SecretsView): Markup {
  if (!secrets)
    return html`<h2>Payment secrets</h2>
${emptyState('This service has no SECRET_KEY, so it takes no payment events.')}`
  const live = secrets.filter(({ revokedAt }) => !revokedAt).length
  return html`<h2>Payment secrets</h2>
<p>Your payment provider signs its events with one of these secrets. To change it: make a second, give that to the provider, and revoke the first when the provider uses it. Where customers pay is said on <a href="/dashboard/payment-settings">How customers pay</a>.</p>
${secrets.length > 0 ? secretTable(session, secrets, t) : emptyState('There is no secret yet.')}
${
  live < 2
    ? postForm(session, '/dashboard/partners/secrets', html`<button>Make a payment secret</button>`, {
        class: 'actions',
      })
    : html`<p class="hint">Two are live: revoke one before you make another.</p>`
}`
}

function secretTable(session: Session, secrets: readonly SecretRecord[], t: Texts): Markup {
  const { timeZone } = session.user
  return table<SecretRecord>(
    'Payment secrets, newest first',
    [
      { head: 'ID', cell: ({ id }) => id },
      { head: 'Status', cell: ({ status }) => badge(status, kinds[status]) },
      { head: 'Made', cell: ({ createdAt }) => t.moment(createdAt, timeZone) },
      {
        head: 'End it',
        cell: ({ id, revokedAt }) => (revokedAt ? t.moment(revokedAt, timeZone) : revokeForm(session, id)),
      },
    ],
    secrets,
  )
}

function revokeForm(session: Session, id: number): Markup {
  return postForm(
    session,
    `/dashboard/partners/secrets/${id}/revoke`,
    html`<button class="danger" aria-label="Revoke payment secret ${id}">Revoke</button>`,
    {
      question: `Revoke payment secret ${id}? What is signed with it is refused at once.`,
      class: 'inline',
    },
  )
}
