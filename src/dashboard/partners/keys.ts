/** The account's API keys, and the form that makes one. */
import { type Scope, scopes, usualOverlapHours } from '../../accounts/model.ts'
import { longestKeyDays } from '../../accounts/schemas.ts'
import type { KeyRecord, Partner } from '../../accounts/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { inputField, postForm, selectField } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

const scopeWords: Record<Scope, { name: string; more?: string }> = {
  ota: { name: 'Make bookings', more: 'see products and dates, and change its own bookings' },
  'usage:read': { name: 'Read usage' },
  'usage:write': { name: 'Record usage', more: 'and void it' },
  operator: { name: 'Do everything', more: 'as you do here: for your own programs only' },
}

/** A scope in words, with its name for programmers. */
const scopeText = (scope: Scope) => html`${scopeWords[scope].name} <code>${scope}</code>`

type KeysView = {
  session: Session
  keys: readonly KeyRecord[]
  partners: readonly Partner[]
  t: Texts
}

export function keySection({ session, keys, partners, t }: KeysView): Markup {
  return html`<h2>Keys</h2>
${keys.length > 0 ? keyTable(session, keys, t) : emptyState('There is no key yet.')}
<h3>A new key</h3>
${postForm(session, '/dashboard/partners/keys', keyFields(partners))}`
}

function keyTable(session: Session, keys: readonly KeyRecord[], t: Texts): Markup {
  const at = (instant: Date | null, none: string) =>
    instant ? t.moment(instant, session.user.timeZone) : none
  return table<KeyRecord>(
    'API keys, oldest first',
    [
      { head: 'ID', cell: ({ id }) => id },
      { head: 'Mode', cell: ({ isTest }) => (isTest ? badge('test', 'warn') : badge('live')) },
      { head: 'Partner', cell: ({ partner }) => partner ?? html`<em>None</em>` },
      {
        head: 'May',
        cell: (key) =>
          html`<ul class="plain">${key.scopes.map((scope) => html`<li>${scopeText(scope)}</li>`)}</ul>`,
      },
      {
        head: 'Status',
        cell: ({ status }) => (status === 'live' ? badge('valid', 'good') : badge(status)),
      },
      { head: 'Made', cell: ({ createdAt }) => at(createdAt, '') },
      { head: 'Expires', cell: ({ expiresAt }) => at(expiresAt, 'Never') },
      { head: 'Last used', cell: ({ lastUsedAt }) => at(lastUsedAt, 'Not yet') },
      { head: 'End it', cell: (key) => (key.status === 'live' ? endForms(session, key) : '') },
    ],
    keys,
  )
}

function endForms(session: Session, key: KeyRecord): Markup {
  return html`${key.successorId === null ? rotateForm(session, key) : html`Key ${key.successorId} takes its place `}${revokeForm(session, key)}`
}

function rotateForm(session: Session, { id, partner }: KeyRecord): Markup {
  const question = `Make another key in place of key ${id}${partner ? ` of ${partner}` : ''}? This one ends in ${usualOverlapHours} hours.`
  return postForm(
    session,
    `/dashboard/partners/keys/${id}/rotate`,
    html`<button class="secondary" aria-label="Rotate key ${id}">Rotate</button>`,
    { question, class: 'inline' },
  )
}

function revokeForm(session: Session, { id, partner }: KeyRecord): Markup {
  const question = `Revoke key ${id}${partner ? ` of ${partner}` : ''}? Whoever uses it is refused within seconds, for good.`
  return postForm(
    session,
    `/dashboard/partners/keys/${id}/revoke`,
    html`<button class="danger" aria-label="Revoke key ${id}">Revoke</button>`,
    { question, class: 'inline' },
  )
}

function keyFields(partners: readonly Partner[]): Markup {
  const boxes = scopes.map(
    (scope) =>
      html`<label class="choice"><input type="checkbox" name="Scopes" value="${scope}"${scope === 'ota' ? html` checked` : ''}> <span>${scopeText(scope)}${scopeWords[scope].more ? html` <span class="hint">${scopeWords[scope].more}</span>` : ''}</span></label>`,
  )
  const modes = html`${selectField(
    {
      label: 'Mode',
      name: 'Mode',
      hint: 'A test key sells nothing: give it to a partner who builds a connection.',
    },
    [
      { value: 'live', label: 'Live' },
      { value: 'test', label: 'Test' },
    ],
  )}`
  return html`${modes}
${inputField(
  {
    label: 'Partner',
    name: 'Partner',
    hint: 'Who is made when new. A partner sees the bookings made under its own keys only. Leave empty for a key of your own.',
  },
  { list: 'partners', maxlength: 255, autocomplete: 'off' },
)}
<datalist id="partners">${partners.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<fieldset><legend>What it may do</legend>${boxes}</fieldset>
${inputField({ label: 'Ends after days', name: 'ExpiresInDays', hint: 'Leave empty for a key that does not end by itself.' }, { type: 'number', min: 1, max: longestKeyDays, inputmode: 'numeric' })}
<button>Make the key</button>`
}
