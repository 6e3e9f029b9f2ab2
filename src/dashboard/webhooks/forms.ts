/** Reads the forms of webhook endpoints, and puts faults into the words of the form. Pure. */
import type { FastifyRequest } from 'fastify'
import type { Texts } from '../../languages/texts.ts'
import { bodyKinds } from '../../messaging/webhooks/endpoints/model.ts'
import { inWords } from '../frame/fault-words.ts'
import { valueAt } from '../frame/form-fields.ts'
import { type FormFaults, renameFaults } from '../frame/forms.ts'
import type { ComparedField } from '../frame/meanwhile.ts'
import { endpointLabels } from './form-views.ts'
import { inOrderOfUse, shortEventWords } from './words.ts'

/** The fields in which users type text. */
export const endpointTexts = ['URL', 'Description', 'Email'] as const

/**
 * The sent and the stored values of `EventTypes` and `Body`, in the words of the page. The form of an OCTO
 * endpoint has no `Body`.
 */
export function compareChoices(
  t: Texts,
  given: { EventTypes?: string[]; Body?: string },
  existing: { EventTypes: string[]; Body: string },
): ComparedField[] {
  const events = (types: readonly string[] = []) =>
    inOrderOfUse(types)
      .map((type) => shortEventWords(t, type))
      .join(', ')
  const content = (value: string) => {
    const kind = bodyKinds.find((one) => one === value)
    return kind ? t.say(`webhooks.body.${kind}`) : ''
  }
  const fields = [
    { field: 'EventTypes', given: events(given.EventTypes), existing: events(existing.EventTypes) },
  ]
  if (existing.Body === 'octo') return fields
  return [
    ...fields,
    { field: 'Body', given: content(valueAt(given, 'Body')), existing: content(existing.Body) },
  ]
}

/** The same error with the field names of the form, which has one group of fields for all events. */
export function inForm(error: unknown): unknown {
  return renameFaults(error, (field) => field.replace(/^EventTypes\[\d+\]$/, 'EventTypes'))
}

/** The faults in the words of the form, with a message of its own if no event is selected. */
export function endpointFaults(t: Texts, faults: NonNullable<FormFaults>): FormFaults {
  const fields = new Map(faults.fields)
  if (fields.get('EventTypes') === 'is required') fields.set('EventTypes', t.say('webhooks.at-least-one'))
  return inWords({ ...faults, fields }, endpointLabels(t))
}

/** Trims the URL, and drops the other selections if the choice “all events” (`*`) is selected. */
export async function normalizeEndpointForm(request: FastifyRequest): Promise<void> {
  const body = request.body as { URL?: string; EventTypes?: string[] }
  if (body.URL) body.URL = body.URL.trim()
  if (body.EventTypes?.includes('*')) body.EventTypes = ['*']
}
