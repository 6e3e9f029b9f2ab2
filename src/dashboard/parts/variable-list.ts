/** The variables of templates, with an example if there is one. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { type TemplateVariable, templateVariablesIn } from '../../messaging/emails/variable-list.ts'

export function variableList(t: Texts): Markup {
  return html`<dl class="variables">${templateVariablesIn(t).map((variable) => row(t, variable))}</dl>`
}

function row(t: Texts, { name, sentence, example }: TemplateVariable): Markup {
  const shown =
    example === '' ? '' : html` <span class="hint">${t.say('variable.example', { example })}</span>`
  return html`<div><dt><code>{{ ${name} }}</code></dt><dd>${t.say(sentence)}${shown}</dd></div>
`
}
