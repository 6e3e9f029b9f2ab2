/** The content of the page of an endpoint's deliveries. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { keptDays } from '../../messaging/webhooks/deliveries/model.ts'
import type { DeliveryView } from '../../messaging/webhooks/deliveries/schemas.ts'
import type { DeliveriesQuery, DeliveryStatus } from '../../messaging/webhooks/deliveries/service.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import { postForm, selectField } from '../frame/forms.ts'
import { badge, emptyState, nextLink, searchOf, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { endpointsPath } from './list-views.ts'

type DeliveryList = {
  endpoint: EndpointView
  deliveries: readonly DeliveryView[]
  query: DeliveriesQuery
  url: string
  next: string | null
}

const statusWords: Record<DeliveryStatus, string> = {
  pending: 'waits',
  delivered: 'delivered',
  failed: 'set aside',
}
const statusColours = { pending: 'accent', delivered: 'good', failed: 'bad' } as const

export function deliveryList(
  session: Session,
  t: Texts,
  { endpoint, deliveries, query, url, next }: DeliveryList,
): Markup {
  const path = `${endpointsPath}/${endpoint.EndpointID}`
  const instant = (at: string) => t.moment(at, session.user.timeZone)
  const statuses = Object.entries(statusWords).map(([value, label]) => ({ value, label }))
  return html`<p><a href="${path}">Back to the endpoint</a></p>
<p class="address"><strong>${endpoint.URL}</strong></p>
<p class="hint">A delivery is tried for three days, with longer and longer pauses, and then set aside. The list shows those of the last ${keptDays} days.</p>
<form method="get" action="${path}/deliveries" class="filters">
${selectField({ label: 'Status', name: 'Status', value: query.Status }, [{ value: '', label: 'All' }, ...statuses])}
<button class="secondary">Show</button>
</form>
${
  deliveries.length === 0
    ? emptyState(query.Status ? 'No delivery has this status.' : 'There is no delivery yet.')
    : table<DeliveryView>(
        'Deliveries, newest first',
        [
          { head: 'Event', cell: eventCell },
          { head: 'Made', cell: ({ CreatedAt }) => instant(CreatedAt) },
          { head: 'Status', cell: (delivery) => statusCell(delivery, instant) },
          { head: 'Last try', cell: (delivery) => tryCell(delivery, t) },
          {
            head: 'Again',
            cell: (delivery) => (endpoint.Status === 'active' ? againForm(session, path, delivery, url) : ''),
          },
        ],
        deliveries,
      )
}
${nextLink(t, url, next)}`
}

function eventCell({ Type, EventNumber, MessageID }: DeliveryView): Markup {
  const number = EventNumber === null ? '' : html` number ${EventNumber}`
  return html`<strong>${Type}</strong>${number}<br><code class="address">${MessageID}</code>`
}

function statusCell({ Status, Tries, NextTryAt, FinishedAt }: DeliveryView, instant: (at: string) => string) {
  const tries = Tries === 1 ? 'Tried once' : `Tried ${Tries} times`
  const when =
    NextTryAt !== null
      ? `${Tries === 0 ? 'Goes' : `${tries}; next`} ${instant(NextTryAt)}`
      : `${tries}; ${FinishedAt === null ? '' : instant(FinishedAt)}`
  return html`${badge(statusWords[Status], statusColours[Status])} ${when}`
}

/** The status and the time of the response, or why there was none. */
function tryCell({ Tries, HTTPStatus, DurationMs, Answer, Fault }: DeliveryView, { number }: Texts): Markup {
  if (Tries === 0) return html`Not tried yet`
  const result = HTTPStatus === null ? (Fault ?? 'No answer') : `Answered ${HTTPStatus}`
  const time = DurationMs === null ? '' : ` in ${number(DurationMs)} ms`
  const answer = Answer
    ? html`<details><summary>What it said</summary><pre class="answer" tabindex="0">${Answer}</pre></details>`
    : ''
  return html`${result}${HTTPStatus === null ? '' : time}${answer}`
}

function againForm(
  session: Session,
  path: string,
  { DeliveryID, Status, Type }: DeliveryView,
  url: string,
): Markup | string {
  if (Status === 'pending') return ''
  return postForm(
    session,
    `${path}/deliveries/${DeliveryID}/again${searchOf(url)}`,
    html`<button class="secondary" aria-label="Send again: ${Type}, delivery ${DeliveryID}">Send again</button>`,
    { class: 'inline' },
  )
}
