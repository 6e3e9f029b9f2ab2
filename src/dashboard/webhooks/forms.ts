/** Reads the forms of webhook endpoints, and puts faults into the words of the form. Pure. */
import type { FastifyRequest } from 'fastify'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { type FormFaults, renameFaults } from '../frame/forms.ts'
import { endpointLabels } from './form-views.ts'

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
