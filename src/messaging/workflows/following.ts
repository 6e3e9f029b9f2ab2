/**
 * When the account's language changes, translates the default workflows, except those whose words the operator has
 * edited.
 */
import type { EventConsumer, NumberedEvent } from '../../events/pump/pump.ts'
import type { EventDetails } from '../../events/types.ts'
import { languageNames, languageOf, languages } from '../../languages/locales.ts'
import { textsIn } from '../../languages/texts.ts'
import { findSeller } from '../../sales/business-details/service.ts'
import { defaultWorkflowsIn } from './defaults.ts'
import { translateWorkflow } from './queries.ts'

/** Runs in the transaction that numbers the events. */
export const followLanguage: EventConsumer = async (tx, events) => {
  for (const accountId of new Set(events.filter(isAboutLanguage).map((event) => event.accountId))) {
    const language = languageOf((await findSeller(tx, accountId)).locale)
    const now = defaultWorkflowsIn(textsIn(languages[language].locales[0]))
    for (const other of languageNames.filter((name) => name !== language)) {
      const before = defaultWorkflowsIn(textsIn(languages[other].locales[0]))
      for (const workflow of Object.values(now))
        await translateWorkflow(tx, accountId, { from: before[workflow.trigger], to: workflow })
    }
  }
}

function isAboutLanguage({ type, details }: NumberedEvent): boolean {
  return (
    type === 'business-details.changed' &&
    (details as EventDetails<'business-details.changed'>).Fields.includes('Locale')
  )
}
