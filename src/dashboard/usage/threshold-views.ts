/** The content of the page of thresholds. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { maxThresholds, thresholdPeriods } from '../../metering/thresholds/model.ts'
import type { ThresholdRow } from '../../metering/thresholds/service.ts'
import { fieldOf, inputField, type ShownForm, selectField } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { amountField } from '../parts/amounts.ts'

/** The labels of the form. */
export function thresholdLabels(t: Texts): ReadonlyMap<string, string> {
  return new Map([
    ['Meter', t.say('usage.meter')],
    ['Period', t.say('threshold.period')],
    ['Threshold', t.say('threshold.threshold')],
  ])
}

export function thresholdsPage(
  session: Session,
  t: Texts,
  thresholds: readonly ThresholdRow[],
  shown: ShownForm,
): Markup {
  return html`<p><a href="/dashboard/usage">${t.say('usage.back')}</a></p>
<p class="hint">${t.say('threshold.about', { timeZone: session.user.timeZone })}</p>
${thresholds.length === 0 ? emptyState(t.say('threshold.none')) : thresholdTable(session, t, thresholds)}
${
  thresholds.length < maxThresholds
    ? html`<h2>${t.say('threshold.new')}</h2>
${thresholdForm(session, t, shown)}`
    : html`${faultSummary(shown.faults)}<p class="hint">${t.say('threshold.most', { count: maxThresholds })}</p>`
}`
}

function thresholdTable(session: Session, t: Texts, thresholds: readonly ThresholdRow[]): Markup {
  const { timeZone } = session.user
  const instant = (seconds: number) => t.moment(new Date(seconds * 1000), timeZone)
  return table<ThresholdRow>(
    t.say('threshold.list'),
    [
      { head: t.say('usage.meter'), cell: ({ meter }) => html`<span class="info">${meter}</span>` },
      { head: t.say('threshold.period'), cell: ({ period }) => t.say(`threshold.period.${period}`) },
      { head: t.say('threshold.threshold'), numeric: true, cell: ({ amount }) => t.number(Number(amount)) },
      {
        head: t.say('threshold.last'),
        cell: ({ lastCrossedAt }) => (lastCrossedAt ? instant(lastCrossedAt) : t.say('threshold.never')),
      },
      { head: t.say('word.remove'), cell: (threshold) => removeForm(session, t, threshold) },
    ],
    thresholds,
  )
}

function removeForm(session: Session, t: Texts, { id, meter, period, amount }: ThresholdRow): Markup {
  const name = `${meter}, ${t.say(`threshold.period.${period}`)}, ${t.number(Number(amount))}`
  return postForm(
    session,
    `/dashboard/usage/thresholds/${id}/remove`,
    html`<button class="secondary" aria-label="${t.say('threshold.remove-of', { name })}">${t.say('word.remove')}</button>`,
    { class: 'inline' },
  )
}

function thresholdForm(session: Session, t: Texts, shown: ShownForm): Markup {
  const labels = thresholdLabels(t)
  const field = (name: string, hint?: string) => fieldOf(shown, labels.get(name)!, name, hint)
  const periods = thresholdPeriods.map((value) => ({ value, label: t.say(`threshold.period.${value}`) }))
  return postForm(
    session,
    '/dashboard/usage/thresholds',
    html`${faultSummary(shown.faults)}
${inputField(field('Meter', t.say('threshold.meter.hint')), { required: true, maxlength: 255 })}
${selectField(field('Period'), periods)}
${amountField(t, field('Threshold'), { required: true })}
<button>${t.say('threshold.set')}</button>`,
  )
}
