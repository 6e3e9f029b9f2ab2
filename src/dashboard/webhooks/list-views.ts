/** The content of the page of all webhook endpoints. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { endpointStatus, ownerWords, shortEventWords, shortUrl, waitingWords } from './words.ts'

export const endpointsPath = '/dashboard/webhooks'

/** `canMake` is false if the service has no SECRET_KEY, with which secrets are encrypted. */
type EndpointList = { endpoints: readonly EndpointView[]; canMake: boolean }

export function endpointList(
  { user: { timeZone } }: Session,
  t: Texts,
  { endpoints, canMake }: EndpointList,
): Markup {
  return html`<p>${t.say('webhooks.about')}</p>
${
  canMake
    ? html`<p class="actions"><a class="button" href="${endpointsPath}/new">${t.say('webhooks.new')}</a></p>`
    : html`<p class="hint">${t.say('webhooks.no-secret')}</p>`
}
${
  endpoints.length === 0
    ? emptyState(t.say('webhooks.none'))
    : table<EndpointView>(
        t.say('webhooks.list'),
        [
          { head: t.say('webhooks.endpoint'), cell: endpointCell },
          { head: t.say('word.for'), cell: (endpoint) => ownerWords(t, endpoint) },
          {
            head: t.say('webhooks.gets'),
            cell: ({ EventTypes }) => EventTypes.map((type) => shortEventWords(t, type)).join(', '),
          },
          { head: t.say('word.status'), cell: (endpoint) => endpointStatus(endpoint, t, timeZone) },
          { head: t.say('webhooks.waiting'), cell: (endpoint) => waitingWords(endpoint, t) },
          { head: t.say('webhooks.set-aside'), cell: (endpoint) => setAsideCell(endpoint, t) },
        ],
        endpoints,
      )
}`
}

function endpointCell(endpoint: EndpointView): Markup {
  const { EndpointID, Description } = endpoint
  return html`<a class="address" href="${endpointsPath}/${EndpointID}">${shortUrl(endpoint)}</a>${Description ? html`<br>${Description}` : ''}`
}

/** The number of deliveries that failed and are no longer tried, with a link to them. */
export function setAsideCell({ EndpointID, SetAside }: EndpointView, { number }: Texts): Markup {
  return SetAside === 0
    ? html`0`
    : html`<a href="${endpointsPath}/${EndpointID}/deliveries?Status=failed">${number(SetAside)}</a>`
}
