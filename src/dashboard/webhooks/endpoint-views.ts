/** The content of the page of a webhook endpoint: its state and its actions. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { deliveryRetentionDays, pausedDays } from '../../messaging/webhooks/deliveries/model.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import { fieldOf, inputField, type ShownForm } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { endpointsPath, setAsideCell } from './list-views.ts'
import { endpointStatus, eventWords, ownerWords, waitingWords } from './words.ts'

/** The labels of the replay form. */
export function replayLabels(t: Texts): ReadonlyMap<string, string> {
  return new Map([
    ['FromNumber', t.say('webhooks.replay.number')],
    ['FromTime', t.say('webhooks.replay.time')],
  ])
}

export function endpointPage(session: Session, t: Texts, endpoint: EndpointView, replay: ShownForm): Markup {
  const { timeZone } = session.user
  const { EventTypes, Description, Body, Email, CreatedAt } = endpoint
  const path = pathOf(endpoint)
  return html`<p><a href="${endpointsPath}">${t.say('webhooks.all')}</a></p>
${faultSummary(replay.faults)}
<p class="address"><strong>${endpoint.URL}</strong></p>
<p>${endpointStatus(endpoint, t, timeZone)}.</p>
${pauseHint(t, endpoint)}
<div class="actions">${stateForm(session, t, endpoint)}${endpoint.Status === 'active' ? testForm(session, t, endpoint) : ''}
<a class="button secondary" href="${path}/deliveries">${t.say('webhooks.deliveries.title')}</a> <a class="button secondary" href="${path}/settings">${t.say('word.change')}</a></div>
<dl class="terms">
<dt>${t.say('word.for')}</dt><dd>${ownerWords(t, endpoint)}</dd>
${Description ? html`<dt>${t.say('webhooks.description')}</dt><dd>${Description}</dd>` : ''}
<dt>${t.say('webhooks.gets')}</dt><dd><ul class="plain">${EventTypes.map((type) => html`<li>${eventWords(t, type)}</li>`)}</ul></dd>
<dt>${t.say('webhooks.says')}</dt><dd>${t.say(`webhooks.body.${Body}`)}</dd>
<dt>${t.say('webhooks.waiting')}</dt><dd>${waitingWords(endpoint, t)}</dd>
<dt>${t.say('webhooks.set-aside')}</dt><dd>${setAsideCell(endpoint, t)}</dd>
<dt>${t.say('webhooks.email')}</dt><dd>${Email ?? t.say('webhooks.email.owners')}</dd>
<dt>${t.say('webhooks.made-at')}</dt><dd>${t.moment(CreatedAt, timeZone)}</dd>
</dl>
${secretPart(session, t, endpoint)}
${replayPart(session, t, endpoint, replay)}
<h2>${t.say('webhooks.delete')}</h2>
<p><a href="${path}/delete">${t.say('webhooks.delete.link')}</a></p>`
}

function pathOf({ EndpointID }: EndpointView): string {
  return `${endpointsPath}/${EndpointID}`
}

function pauseHint(t: Texts, { Status }: EndpointView): Markup {
  if (Status === 'active') return html``
  return html`<p class="hint">${t.say('webhooks.paused.hint', { count: pausedDays })}</p>`
}

function stateForm(session: Session, t: Texts, endpoint: EndpointView): Markup {
  if (endpoint.Status === 'paused')
    return postForm(
      session,
      `${pathOf(endpoint)}/resume`,
      html`<button>${t.say('webhooks.resume')}</button>`,
      { class: 'inline' },
    )
  return postForm(
    session,
    `${pathOf(endpoint)}/pause`,
    html`<button class="secondary">${t.say('webhooks.pause')}</button>`,
    {
      class: 'inline',
    },
  )
}

function testForm(session: Session, t: Texts, endpoint: EndpointView): Markup {
  const button = html`<button class="secondary">${t.say('webhooks.test')}</button>`
  return postForm(session, `${pathOf(endpoint)}/test`, button, { class: 'inline' })
}

function secretPart(session: Session, t: Texts, endpoint: EndpointView): Markup {
  const { Secrets } = endpoint
  const path = `${pathOf(endpoint)}/secrets`
  return html`<h2>${t.say('webhooks.secrets')}</h2>
<p>${t.say('webhooks.secrets.about')}</p>
${table<EndpointView['Secrets'][number]>(
  t.say('webhooks.secrets.list'),
  [
    { head: 'ID', cell: ({ SecretID }) => SecretID },
    { head: t.say('webhooks.made-at'), cell: ({ CreatedAt }) => t.moment(CreatedAt, session.user.timeZone) },
    {
      head: t.say('webhooks.end'),
      cell: ({ SecretID }) =>
        Secrets.length < 2 ? t.say('webhooks.only-one') : deleteSecretForm(session, t, path, SecretID),
    },
  ],
  Secrets,
)}
${
  Secrets.length < 2
    ? postForm(session, path, html`<button class="secondary">${t.say('webhooks.second')}</button>`, {
        class: 'actions',
      })
    : html`<p class="hint">${t.say('webhooks.two')}</p>`
}`
}

function deleteSecretForm(session: Session, t: Texts, path: string, id: number): Markup {
  return postForm(
    session,
    `${path}/${id}/delete`,
    html`<button class="danger" aria-label="${t.say('webhooks.secret.delete', { id })}">${t.say('webhooks.delete')}</button>`,
    {
      question: t.say('webhooks.secret.question', { id }),
      class: 'inline',
    },
  )
}

function replayPart(session: Session, t: Texts, endpoint: EndpointView, shown: ShownForm): Markup {
  const field = (name: string, hint: string) => fieldOf(shown, replayLabels(t).get(name)!, name, hint)
  return html`<h2>${t.say('webhooks.replay')}</h2>
<p>${t.say('webhooks.replay.about')}</p>
${postForm(
  session,
  `${pathOf(endpoint)}/replay`,
  html`${inputField(field('FromNumber', t.say('webhooks.replay.number.hint')), { type: 'number', min: 1, inputmode: 'numeric' })}
${inputField(field('FromTime', t.say('webhooks.replay.time.hint', { timeZone: session.user.timeZone })), { type: 'datetime-local' })}
<p class="actions"><button class="secondary">${t.say('webhooks.send-again')}</button></p>`,
)}`
}

export function deleteEndpointPage(session: Session, t: Texts, endpoint: EndpointView): Markup {
  return html`<p class="address"><strong>${endpoint.URL}</strong></p>
<p>${t.say('webhooks.delete.about', { count: deliveryRetentionDays })}</p>
${postForm(
  session,
  `${pathOf(endpoint)}/delete`,
  html`<p class="actions"><button class="danger">${t.say('webhooks.delete.button')}</button> <a href="${pathOf(endpoint)}">${t.say('word.keep')}</a></p>`,
)}`
}
