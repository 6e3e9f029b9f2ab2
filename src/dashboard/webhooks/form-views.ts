/** The form of a webhook endpoint: address, owner, events and format. Pure. */
import type { Partner } from '../../accounts/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { chosenBodies, typesFor } from '../../messaging/webhooks/endpoints/model.ts'
import { fieldOf, inputField, type ShownForm, selectField } from '../frame/form-fields.ts'
import { attributes, faultBeside, faultSummary, idOf, postForm } from '../frame/forms.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { endpointsPath } from './list-views.ts'
import { eventWords, inOrderOfUse } from './words.ts'

/** The labels of the endpoint form. */
export function endpointLabels(t: Texts): ReadonlyMap<string, string> {
  return new Map(fieldNames.map((name) => [name, t.say(`webhooks.field.${name}`)]))
}
const fieldNames = ['URL', 'PartnerID', 'EventTypes', 'Body', 'Description', 'Email'] as const

type EndpointForm = {
  /** Null for a new endpoint. */
  id: number | null
  /** The partners to whom a new endpoint can belong. */
  partners: readonly Partner[]
  /** Whether the endpoint belongs to a partner. */
  isPartners: boolean
  isOcto: boolean
}

export function endpointForm(
  session: Session,
  t: Texts,
  { id, partners, isPartners, isOcto }: EndpointForm,
  shown: ShownForm & { version?: string },
): Markup {
  const labels = endpointLabels(t)
  const field = (name: string, hint?: string) => fieldOf(shown, labels.get(name)!, name, hint)
  const bodies = chosenBodies.map((value) => ({ value, label: t.say(`webhooks.body.${value}`) }))
  const owners = [
    { value: '', label: t.say('webhooks.owner.account') },
    ...partners.map((partner) => ({ value: partner.id, label: partner.name })),
  ]
  const owner = selectField(field('PartnerID', t.say('webhooks.owner.hint')), owners)
  return html`${faultSummary(shown.faults)}
${postForm(
  session,
  id === null ? endpointsPath : `${endpointsPath}/${id}/settings`,
  html`${id === null ? '' : versionField(shown.version ?? '')}
${inputField(field('URL', t.say('webhooks.url.hint')), { type: 'url', required: true, maxlength: 2000, autocomplete: 'off' })}
${id === null ? owner : ''}
${eventFields(t, shown, { isPartners, isNew: id === null })}
${isOcto ? html`<p>${t.say('webhooks.body.fixed', { body: t.say('webhooks.body.octo') })}</p>` : selectField(field('Body', t.say('webhooks.body.hint')), bodies)}
${inputField(field('Description', t.say('webhooks.description.hint')), { maxlength: 255 })}
${inputField(field('Email', t.say('webhooks.email.hint')), { type: 'email', maxlength: 254, autocomplete: 'off' })}
<p class="actions"><button>${t.say(id === null ? 'webhooks.save-new' : 'save')}</button> <a href="${id === null ? endpointsPath : `${endpointsPath}/${id}`}">${t.say('page.back')}</a></p>`,
)}`
}

/**
 * The choices of events: all, families, and the single types that a request of the API has selected for the
 * endpoint.
 */
function eventFields(
  t: Texts,
  { values, faults }: ShownForm,
  { isPartners, isNew }: { isPartners: boolean; isNew: boolean },
): Markup {
  const ticked = (values as { EventTypes?: readonly string[] } | null)?.EventTypes ?? []
  const forPartners = typesFor(0)
  const all = isPartners ? forPartners : typesFor(null)
  const offered = inOrderOfUse(all.filter((type) => type.endsWith('*')))
  const types = [...offered, ...ticked.filter((type) => !offered.includes(type))]
  const fault = faults?.fields.get('EventTypes')
  const legend = endpointLabels(t).get('EventTypes')!
  const boxes = types.map((type) => {
    const box = { type: 'checkbox', name: 'EventTypes', value: type, checked: ticked.includes(type) }
    const note =
      isNew && !forPartners.includes(type)
        ? html` <span class="hint">${t.say('webhooks.account-only')}</span>`
        : ''
    return html`<label class="choice"><input${attributes(box)}> <span>${eventWords(t, type)}${note}</span></label>\n`
  })
  return html`<fieldset id="${idOf('EventTypes')}" tabindex="-1"><legend>${legend}</legend>
${boxes}${fault ? faultBeside('EventTypes', legend, fault) : ''}</fieldset>`
}
