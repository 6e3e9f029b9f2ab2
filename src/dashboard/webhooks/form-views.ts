/** The form of a webhook endpoint: address, owner, events and format. Pure. */
import type { Partner } from '../../accounts/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { chosenBodies, typesFor } from '../../messaging/webhooks/endpoints/model.ts'
import {
  attributes,
  faultBeside,
  faultSummary,
  fieldOf,
  idOf,
  inputField,
  postForm,
  type ShownForm,
  selectField,
} from '../frame/forms.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { endpointsPath } from './list-views.ts'
import { bodyWords, eventWords, inOrderOfUse } from './words.ts'

/** The labels of the endpoint form. */
export const endpointLabels = new Map([
  ['URL', 'Address (URL)'],
  ['PartnerID', 'For'],
  ['EventTypes', 'What it gets'],
  ['Body', 'How much each says'],
  ['Description', 'Description'],
  ['Email', 'E-mail address'],
])
export const endpointFieldNames = [...endpointLabels.keys()].filter((name) => name !== 'PartnerID')

type EndpointForm = {
  /** Null for a new one. */
  id: number | null
  /** The choices for a new endpoint. */
  partners: readonly Partner[]
  /** Whether it belongs to a partner. */
  isPartners: boolean
  isOcto: boolean
}

export function endpointForm(
  session: Session,
  { id, partners, isPartners, isOcto }: EndpointForm,
  shown: ShownForm & { version?: string },
): Markup {
  const field = (name: string, hint?: string) => fieldOf(shown, endpointLabels.get(name)!, name, hint)
  const bodies = chosenBodies.map((value) => ({ value, label: bodyWords[value] }))
  const owners = [
    { value: '', label: 'The account' },
    ...partners.map((partner) => ({ value: partner.id, label: partner.name })),
  ]
  const owner = selectField(
    field(
      'PartnerID',
      'A partner gets its own bookings, and the availability and the products that it may sell.',
    ),
    owners,
  )
  return html`${faultSummary(shown.faults)}
${postForm(
  session,
  id === null ? endpointsPath : `${endpointsPath}/${id}/settings`,
  html`${id === null ? '' : versionField(shown.version ?? '')}
${inputField(field('URL', 'It begins with https:// and is open to the internet.'), { type: 'url', required: true, maxlength: 2000, autocomplete: 'off' })}
${id === null ? owner : ''}
${eventFields(shown, { isPartners, isNew: id === null })}
${isOcto ? html`<p>${endpointLabels.get('Body')!}: ${bodyWords.octo}</p>` : selectField(field('Body', 'As it is now: the booking, the product or the timeslots, when it is sent.'), bodies)}
${inputField(field('Description', 'For yourselves, such as “Prices of the web shop”.'), { maxlength: 255 })}
${inputField(field('Email', 'Gets an e-mail when nothing can be delivered and the endpoint is paused. Empty for the owners of the account.'), { type: 'email', maxlength: 254, autocomplete: 'off' })}
<p class="actions"><button>${id === null ? 'Save endpoint' : 'Save'}</button> <a href="${id === null ? endpointsPath : `${endpointsPath}/${id}`}">Back</a></p>`,
)}`
}

/** The choices of events: all, families, and single types if the endpoint got some through the API. */
function eventFields(
  { values, faults }: ShownForm,
  { isPartners, isNew }: { isPartners: boolean; isNew: boolean },
): Markup {
  const ticked = (values as { EventTypes?: readonly string[] } | null)?.EventTypes ?? []
  const forPartners = typesFor(0)
  const all = isPartners ? forPartners : typesFor(null)
  const offered = inOrderOfUse(all.filter((type) => type.endsWith('*')))
  const types = [...offered, ...ticked.filter((type) => !offered.includes(type))]
  const fault = faults?.fields.get('EventTypes')
  const legend = endpointLabels.get('EventTypes')!
  const boxes = types.map((type) => {
    const box = { type: 'checkbox', name: 'EventTypes', value: type, checked: ticked.includes(type) }
    const note =
      isNew && !forPartners.includes(type) ? html` <span class="hint">(the account only)</span>` : ''
    return html`<label class="choice"><input${attributes(box)}> <span>${eventWords(type)}${note}</span></label>\n`
  })
  return html`<fieldset id="${idOf('EventTypes')}" tabindex="-1"><legend>${legend}</legend>
${boxes}${fault ? faultBeside('EventTypes', legend, fault) : ''}</fieldset>`
}
