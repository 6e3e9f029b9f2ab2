/**
 * The section of the account's API keys: the list, the buttons that rotate and revoke a key, and the form
 * that makes one.
 */
import { defaultOverlapHours, type Scope, scopes } from '../../accounts/model.ts'
import { longestKeyDays } from '../../accounts/schemas.ts'
import type { KeyRecord, Partner } from '../../accounts/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { fieldOf, inputField, type ShownForm, selectField } from '../frame/form-fields.ts'
import { attributes, type FormFaults, faultBeside, faultSummary, idOf, postForm } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

/** A scope in words, with its name in the API. */
const scopeText = (t: Texts, scope: Scope) => html`${t.say(`partners.scope.${scope}`)} <code>${scope}</code>`

type KeysView = {
  session: Session
  keys: readonly KeyRecord[]
  partners: readonly Partner[]
  /** The form that makes a key: empty, or refused with its sent values and their faults. */
  form: ShownForm
  t: Texts
}

/** The form that makes a key, before the user has filled it in. */
export const emptyKeyForm: ShownForm = { values: { Mode: 'live', Scopes: ['ota'] }, faults: null }

/** Adds the labels of the form to the faults. */
export function keyFaults(t: Texts, faults: NonNullable<FormFaults>): FormFaults {
  const fields = [...faults.fields].map(
    ([field, message]) => [field.replace(/\[\d+\]$/, ''), message] as const,
  )
  return inWords({ ...faults, fields: new Map(fields) }, labelsOf(t))
}

function labelsOf(t: Texts): ReadonlyMap<string, string> {
  return new Map([
    ['Mode', t.say('partners.mode')],
    ['Partner', t.say('partners.partner')],
    ['Scopes', t.say('partners.scopes')],
    ['ExpiresInDays', t.say('partners.days')],
  ])
}

export function keySection({ session, keys, partners, form, t }: KeysView): Markup {
  return html`<h2>${t.say('partners.keys')}</h2>
${keys.length > 0 ? keyTable(session, keys, t) : emptyState(t.say('partners.keys.none'))}
<h3>${t.say('partners.keys.new')}</h3>
${postForm(session, '/dashboard/partners/keys', keyFields(t, partners, form))}`
}

function keyTable(session: Session, keys: readonly KeyRecord[], t: Texts): Markup {
  const at = (instant: Date | null, none: string) =>
    instant ? t.moment(instant, session.user.timeZone) : none
  return table<KeyRecord>(
    t.say('partners.keys.list'),
    [
      { head: t.say('partners.key'), cell: ({ id }) => id, onCard: 'headed' },
      {
        head: t.say('partners.partner'),
        cell: ({ partner, isTest }) =>
          html`${partner ?? html`<em>${t.say('partners.own')}</em>`} ${isTest ? badge(t.say('partners.mode.test'), 'warn') : ''}`,
        onCard: 'name',
      },
      {
        head: t.say('partners.may'),
        cell: (key) => key.scopes.map((scope) => t.say(`partners.scope.${scope}`)).join(' · '),
        onCard: 'title',
      },
      {
        head: t.say('word.status'),
        cell: ({ status }) =>
          badge(t.say(`partners.key-status.${status}`), status === 'live' ? 'good' : 'quiet'),
        onCard: 'side',
      },
      { head: t.say('partners.made'), cell: ({ createdAt }) => at(createdAt, ''), onCard: 'headed' },
      {
        head: t.say('partners.expires'),
        cell: ({ expiresAt }) => at(expiresAt, t.say('word.never')),
        onCard: 'headed',
      },
      {
        head: t.say('partners.last-used'),
        cell: ({ lastUsedAt }) => at(lastUsedAt, t.say('word.not-yet')),
        onCard: 'headed',
      },
      {
        head: t.say('partners.end'),
        cell: (key) => (key.status === 'live' ? endForms(session, t, key) : ''),
      },
    ],
    keys,
  )
}

function endForms(session: Session, t: Texts, key: KeyRecord): Markup {
  return html`<div class="actions">${key.successorId === null ? rotateForm(session, t, key) : html`${t.say('partners.successor', { id: key.successorId })} `}${revokeForm(session, t, key)}</div>`
}

function rotateForm(session: Session, t: Texts, { id, partner }: KeyRecord): Markup {
  const about = { id, hours: defaultOverlapHours }
  const question = partner
    ? t.say('partners.rotate.question-of', { ...about, partner })
    : t.say('partners.rotate.question', about)
  return postForm(
    session,
    `/dashboard/partners/keys/${id}/rotate`,
    html`<button class="secondary" aria-label="${t.say('partners.rotate-key', { id })}">${t.say('partners.rotate')}</button>`,
    { question, class: 'inline' },
  )
}

function revokeForm(session: Session, t: Texts, { id, partner }: KeyRecord): Markup {
  const question = partner
    ? t.say('partners.revoke.question-of', { id, partner })
    : t.say('partners.revoke.question', { id })
  return postForm(
    session,
    `/dashboard/partners/keys/${id}/revoke`,
    html`<button class="danger" aria-label="${t.say('partners.revoke-key', { id })}">${t.say('partners.revoke')}</button>`,
    { question, class: 'inline' },
  )
}

function keyFields(t: Texts, partners: readonly Partner[], form: ShownForm): Markup {
  const labels = labelsOf(t)
  const field = (name: string, hint: string) => fieldOf(form, labels.get(name)!, name, hint)
  const { Scopes: chosen = [] } = form.values as { Scopes?: readonly string[] }
  const fault = form.faults?.fields.get('Scopes')
  const boxes = scopes.map(
    (scope) =>
      html`<label class="choice"><input${attributes({ type: 'checkbox', name: 'Scopes', value: scope, checked: chosen.includes(scope) })}> <span>${scopeText(t, scope)} <span class="hint">${t.say(`partners.scope-more.${scope}`)}</span></span></label>`,
  )
  const modes = selectField(field('Mode', t.say('partners.mode.hint')), [
    { value: 'live', label: t.say('partners.choose-mode.live') },
    { value: 'test', label: t.say('partners.choose-mode.test') },
  ])
  return html`${faultSummary(form.faults)}${modes}
${inputField(field('Partner', t.say('partners.partner.hint')), { list: 'partners', maxlength: 255, autocomplete: 'off' })}
<datalist id="partners">${partners.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<fieldset id="${idOf('Scopes')}" tabindex="-1"><legend>${labels.get('Scopes')!}</legend>${boxes}${fault ? faultBeside('Scopes', labels.get('Scopes')!, fault) : ''}</fieldset>
${inputField(field('ExpiresInDays', t.say('partners.days.hint')), { type: 'number', min: 1, max: longestKeyDays, inputmode: 'numeric' })}
<button>${t.say('partners.keys.make')}</button>`
}
