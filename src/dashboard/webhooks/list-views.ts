/** The content of the page of all webhook endpoints. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { endpointStatus, ownerWords, shortEventWords, shortUrl, waitingWords } from './words.ts'

export const endpointsPath = '/dashboard/webhooks'

/** `canMake` is false if the service has no SECRET_KEY for sealing secrets. */
type EndpointList = { endpoints: readonly EndpointView[]; canMake: boolean }

export function endpointList(
  { user: { timeZone } }: Session,
  t: Texts,
  { endpoints, canMake }: EndpointList,
): Markup {
  return html`<p>An endpoint is an address of another program, yours or a partner’s. What happens here is sent to it within seconds, signed, and tried again for days until it arrives.</p>
${
  canMake
    ? html`<p class="actions"><a class="button" href="${endpointsPath}/new">New endpoint</a></p>`
    : html`<p class="hint">This service has no SECRET_KEY, so no endpoint can be made.</p>`
}
${
  endpoints.length === 0
    ? emptyState('There is no endpoint yet.')
    : table<EndpointView>(
        'Webhook endpoints, oldest first',
        [
          { head: 'Endpoint', cell: endpointCell },
          { head: 'For', cell: ownerWords },
          { head: 'Gets', cell: ({ EventTypes }) => EventTypes.map(shortEventWords).join(', ') },
          { head: 'Status', cell: (endpoint) => endpointStatus(endpoint, t, timeZone) },
          { head: 'Waiting', cell: (endpoint) => waitingWords(endpoint, t) },
          { head: 'Set aside', cell: (endpoint) => setAsideCell(endpoint, t) },
        ],
        endpoints,
      )
}`
}

function endpointCell(endpoint: EndpointView): Markup {
  const { EndpointID, Description } = endpoint
  return html`<a class="address" href="${endpointsPath}/${EndpointID}">${shortUrl(endpoint)}</a>${Description ? html`<br>${Description}` : ''}`
}

/** The number of deliveries, with a link to them. */
export function setAsideCell({ EndpointID, SetAside }: EndpointView, { number }: Texts): Markup {
  return SetAside === 0
    ? html`0`
    : html`<a href="${endpointsPath}/${EndpointID}/deliveries?Status=failed">${number(SetAside)}</a>`
}
