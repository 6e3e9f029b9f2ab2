/**
 * The list of secrets with which a payment provider signs its events, and the button that makes one. At most
 * two are live, so that a new secret can replace an old one. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { SecretRecord } from '../../sales/payment/secrets.ts'
import { postForm } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

const kinds = { live: 'good', revoked: 'quiet', unreadable: 'bad' } as const

/** `secrets` is null if the service has no SECRET_KEY, with which secrets are encrypted. */
type SecretsView = { session: Session; secrets: readonly SecretRecord[] | null; t: Texts }

export function secretSection({ session, secrets, t }: SecretsView): Markup {
  if (!secrets)
    return html`<h2>${t.say('secrets.title')}</h2>
${emptyState(t.say('secrets.unavailable'))}`
  const settings = (words: Markup) => html`<a href="/dashboard/payment-settings">${words}</a>`
  const live = secrets.filter(({ revokedAt }) => !revokedAt).length
  return html`<h2>${t.say('secrets.title')}</h2>
<p>${markupOf(t, 'secrets.about', { settings })}</p>
${secrets.length > 0 ? secretTable(session, secrets, t) : emptyState(t.say('secrets.none'))}
${
  live < 2
    ? postForm(session, '/dashboard/partners/secrets', html`<button>${t.say('secrets.make')}</button>`, {
        class: 'actions',
      })
    : html`<p class="hint">${t.say('secrets.two')}</p>`
}`
}

function secretTable(session: Session, secrets: readonly SecretRecord[], t: Texts): Markup {
  const { timeZone } = session.user
  return table<SecretRecord>(
    t.say('secrets.list'),
    [
      { head: 'ID', cell: ({ id }) => id },
      {
        head: t.say('word.status'),
        cell: ({ status }) => badge(t.say(`secrets.status.${status}`), kinds[status]),
      },
      { head: t.say('partners.made'), cell: ({ createdAt }) => t.moment(createdAt, timeZone) },
      {
        head: t.say('partners.end'),
        cell: ({ id, revokedAt }) => (revokedAt ? t.moment(revokedAt, timeZone) : revokeForm(session, t, id)),
      },
    ],
    secrets,
  )
}

function revokeForm(session: Session, t: Texts, id: number): Markup {
  return postForm(
    session,
    `/dashboard/partners/secrets/${id}/revoke`,
    html`<button class="danger" aria-label="${t.say('secrets.revoke', { id })}">${t.say('partners.revoke')}</button>`,
    {
      question: t.say('secrets.revoke.question', { id }),
      class: 'inline',
    },
  )
}
