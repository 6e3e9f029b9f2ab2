/** The content of the page of a webhook endpoint: its state and its actions. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { keptDays, pausedDays } from '../../messaging/webhooks/deliveries/model.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import { faultSummary, fieldOf, inputField, postForm, type ShownForm } from '../frame/forms.ts'
import { table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { endpointsPath, setAsideCell } from './list-views.ts'
import { bodyWords, endpointStatus, eventWords, ownerWords, waitingWords } from './words.ts'

/** The labels of the replay form. */
export const replayLabels = new Map([
  ['FromNumber', 'From the event number'],
  ['FromTime', 'Or from the date and time'],
])

export function endpointPage(session: Session, t: Texts, endpoint: EndpointView, replay: ShownForm): Markup {
  const { timeZone } = session.user
  const { EventTypes, Description, Body, Email, CreatedAt } = endpoint
  const path = pathOf(endpoint)
  return html`<p><a href="${endpointsPath}">All endpoints</a></p>
${faultSummary(replay.faults)}
<p class="address"><strong>${endpoint.URL}</strong></p>
<p>${endpointStatus(endpoint, t, timeZone)}.</p>
${pauseHint(endpoint)}
<div class="actions">${stateForm(session, endpoint)}${endpoint.Status === 'active' ? testForm(session, endpoint) : ''}
<a class="button secondary" href="${path}/deliveries">Deliveries</a> <a class="button secondary" href="${path}/settings">Change</a></div>
<dl class="terms">
<dt>For</dt><dd>${ownerWords(endpoint)}</dd>
${Description ? html`<dt>Description</dt><dd>${Description}</dd>` : ''}
<dt>Gets</dt><dd><ul class="plain">${EventTypes.map((type) => html`<li>${eventWords(type)}</li>`)}</ul></dd>
<dt>Each says</dt><dd>${bodyWords[Body]}</dd>
<dt>Waiting</dt><dd>${waitingWords(endpoint, t)}</dd>
<dt>Set aside</dt><dd>${setAsideCell(endpoint, t)}</dd>
<dt>E-mail when it is paused</dt><dd>${Email ?? 'The owners of the account'}</dd>
<dt>Made</dt><dd>${t.moment(CreatedAt, timeZone)}</dd>
</dl>
${secretPart(session, t, endpoint)}
${replayPart(session, endpoint, replay)}
<h2>Delete</h2>
<p><a href="${path}/delete">Delete this endpoint…</a></p>`
}

function pathOf({ EndpointID }: EndpointView): string {
  return `${endpointsPath}/${EndpointID}`
}

function pauseHint({ Status }: EndpointView): Markup {
  if (Status === 'active') return html``
  return html`<p class="hint">Nothing is sent to it. What happens meanwhile is kept for it for ${pausedDays} days, and is sent when it is resumed.</p>`
}

function stateForm(session: Session, endpoint: EndpointView): Markup {
  if (endpoint.Status === 'paused')
    return postForm(session, `${pathOf(endpoint)}/resume`, html`<button>Resume</button>`, { class: 'inline' })
  return postForm(session, `${pathOf(endpoint)}/pause`, html`<button class="secondary">Pause</button>`, {
    class: 'inline',
  })
}

function testForm(session: Session, endpoint: EndpointView): Markup {
  const button = html`<button class="secondary">Send a test</button>`
  return postForm(session, `${pathOf(endpoint)}/test`, button, { class: 'inline' })
}

function secretPart(session: Session, t: Texts, endpoint: EndpointView): Markup {
  const { Secrets } = endpoint
  const path = `${pathOf(endpoint)}/secrets`
  return html`<h2>Secrets</h2>
<p>The receiver checks with a secret that what it gets is from here. To change it: make a second, give it to the receiver, and delete the first when the receiver uses the second. While there are two, each delivery is signed with both.</p>
${table<EndpointView['Secrets'][number]>(
  'Secrets, oldest first',
  [
    { head: 'ID', cell: ({ SecretID }) => SecretID },
    { head: 'Made', cell: ({ CreatedAt }) => t.moment(CreatedAt, session.user.timeZone) },
    {
      head: 'End it',
      cell: ({ SecretID }) =>
        Secrets.length < 2 ? 'The only one' : deleteSecretForm(session, path, SecretID),
    },
  ],
  Secrets,
)}
${
  Secrets.length < 2
    ? postForm(session, path, html`<button class="secondary">Make a second secret</button>`, {
        class: 'actions',
      })
    : html`<p class="hint">There are two: delete one before you make another.</p>`
}`
}

function deleteSecretForm(session: Session, path: string, id: number): Markup {
  return postForm(
    session,
    `${path}/${id}/delete`,
    html`<button class="danger" aria-label="Delete secret ${id}">Delete</button>`,
    {
      question: `Delete secret ${id}? A receiver that checks with it refuses what it gets.`,
      class: 'inline',
    },
  )
}

function replayPart(session: Session, endpoint: EndpointView, shown: ShownForm): Markup {
  const field = (name: string, hint: string) => fieldOf(shown, replayLabels.get(name)!, name, hint)
  return html`<h2>Send events again</h2>
<p>All events from there on are sent once more, in their order and under the numbers they had. A receiver that knows these numbers takes none twice.</p>
${postForm(
  session,
  `${pathOf(endpoint)}/replay`,
  html`${inputField(field('FromNumber', 'The list of deliveries shows the numbers.'), { type: 'number', min: 1, inputmode: 'numeric' })}
${inputField(field('FromTime', `On the clock of ${session.user.timeZone}.`), { type: 'datetime-local' })}
<p class="actions"><button class="secondary">Send again</button></p>`,
)}`
}

export function deleteEndpointPage(session: Session, endpoint: EndpointView): Markup {
  return html`<p class="address"><strong>${endpoint.URL}</strong></p>
<p>It gets nothing more, nor what waits for it. Its deliveries of the last ${keptDays} days are deleted, too. To stop it for a while, pause it instead.</p>
${postForm(
  session,
  `${pathOf(endpoint)}/delete`,
  html`<p class="actions"><button class="danger">Delete endpoint</button> <a href="${pathOf(endpoint)}">Keep it</a></p>`,
)}`
}
