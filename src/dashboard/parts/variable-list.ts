/** What a template can name, with an example of each. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { type TemplateVariable, templateVariables } from '../../messaging/emails/variable-list.ts'

export function variableList(): Markup {
  return html`<dl class="variables">${templateVariables.map(row)}</dl>`
}

function row({ name, sentence, example }: TemplateVariable): Markup {
  const shown = example === '' ? '' : html` <span class="hint">Example: ${example}</span>`
  return html`<div><dt><code>{{ ${name} }}</code></dt><dd>${sentence}${shown}</dd></div>
`
}
