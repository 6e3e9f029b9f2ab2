/** The content of the page of an endpoint's deliveries. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { faultIn } from '../../languages/faults.ts'
import type { Texts } from '../../languages/texts.ts'
import { deliveryRetentionDays } from '../../messaging/webhooks/deliveries/model.ts'
import type { DeliveryView } from '../../messaging/webhooks/deliveries/schemas.ts'
import type { DeliveriesQuery, DeliveryStatus } from '../../messaging/webhooks/deliveries/service.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import { selectField } from '../frame/form-fields.ts'
import { postForm } from '../frame/forms.ts'
import { badge, emptyState, nextLink, searchOf, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { endpointsPath } from './list-views.ts'

type DeliveryList = {
  endpoint: EndpointView
  deliveries: readonly DeliveryView[]
  /** The ids of deliveries whose events have expired. */
  expired: ReadonlySet<number>
  query: DeliveriesQuery
  url: string
  next: string | null
}

const statuses: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed']
const statusColours = { pending: 'accent', delivered: 'good', failed: 'bad' } as const

export function deliveryList(
  session: Session,
  t: Texts,
  { endpoint, deliveries, expired, query, url, next }: DeliveryList,
): Markup {
  const path = `${endpointsPath}/${endpoint.EndpointID}`
  const instant = (at: string) => t.moment(at, session.user.timeZone)
  const choices = statuses.map((value) => ({ value, label: t.say(`webhooks.delivery.${value}`) }))
  return html`<p><a href="${path}">${t.say('webhooks.back')}</a></p>
<p class="address"><strong>${endpoint.URL}</strong></p>
<p class="hint">${t.say('webhooks.kept', { count: deliveryRetentionDays })}</p>
<form method="get" action="${path}/deliveries" class="filters">
${selectField({ label: t.say('word.status'), name: 'Status', value: query.Status }, [{ value: '', label: t.say('webhooks.all-statuses') }, ...choices])}
<button class="secondary">${t.say('word.show')}</button>
</form>
${
  deliveries.length === 0
    ? emptyState(t.say(query.Status ? 'webhooks.none-of-status' : 'webhooks.no-delivery'))
    : table<DeliveryView>(
        t.say('webhooks.deliveries.list'),
        [
          { head: t.say('webhooks.event'), cell: (delivery) => eventCell(t, delivery) },
          { head: t.say('webhooks.made-at'), cell: ({ CreatedAt }) => instant(CreatedAt) },
          { head: t.say('word.status'), cell: (delivery) => statusCell(t, delivery, instant) },
          { head: t.say('webhooks.last-try'), cell: (delivery) => tryCell(delivery, t) },
          {
            head: t.say('webhooks.again'),
            cell: (delivery) => {
              if (delivery.Status === 'pending') return ''
              if (expired.has(delivery.DeliveryID)) return t.say('webhooks.event.expired')
              return endpoint.Status === 'active' ? againForm(session, t, path, delivery, url) : ''
            },
          },
        ],
        deliveries,
      )
}
${nextLink(t, url, next)}`
}

function eventCell(t: Texts, { Type, EventNumber, MessageID }: DeliveryView): Markup {
  const event =
    EventNumber === null
      ? html`<strong>${Type}</strong>`
      : markupOf(t, 'webhooks.event.number', { type: Type, number: String(EventNumber) })
  return html`${event}<br><code class="address">${MessageID}</code>`
}

function statusCell(
  t: Texts,
  { Status, Tries, NextTryAt, FinishedAt }: DeliveryView,
  instant: (at: string) => string,
) {
  const tried = { count: Tries, at: NextTryAt ?? FinishedAt ?? '' }
  if (tried.at !== '') tried.at = instant(tried.at)
  const when =
    NextTryAt === null
      ? t.say('webhooks.tried', tried)
      : t.say(Tries === 0 ? 'webhooks.goes' : 'webhooks.tried-next', tried)
  return html`${badge(t.say(`webhooks.delivery.${Status}`), statusColours[Status])} ${when}`
}

/** The status and the duration of the last response, or why there was no response. */
function tryCell({ Tries, HTTPStatus, DurationMs, Answer, Fault }: DeliveryView, t: Texts): Markup {
  if (Tries === 0) return html`${t.say('webhooks.not-tried')}`
  const result =
    HTTPStatus === null
      ? Fault === null
        ? t.say('webhooks.no-answer')
        : faultIn(t, Fault)
      : DurationMs === null
        ? t.say('webhooks.answered', { status: String(HTTPStatus) })
        : t.say('webhooks.answered-in', { status: String(HTTPStatus), ms: t.number(DurationMs) })
  const answer = Answer
    ? html`<details><summary>${t.say('webhooks.said')}</summary><pre class="answer" tabindex="0">${Answer}</pre></details>`
    : ''
  return html`${result}${answer}`
}

function againForm(
  session: Session,
  t: Texts,
  path: string,
  { DeliveryID, Type }: DeliveryView,
  url: string,
): Markup {
  return postForm(
    session,
    `${path}/deliveries/${DeliveryID}/again${searchOf(url)}`,
    html`<button class="secondary" aria-label="${t.say('webhooks.send-again.of', { type: Type, id: String(DeliveryID) })}">${t.say('webhooks.send-again')}</button>`,
    { class: 'inline' },
  )
}
