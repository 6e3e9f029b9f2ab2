/** Pure rules of OCTO's notifications: the events of each type, and the HTTP headers that a subscriber may add. */
import { availabilityChanged, testType } from '../../messaging/webhooks/endpoints/model.ts'
import type { OwnHeaders } from '../../messaging/webhooks/endpoints/secrets.ts'
import type { FieldError } from '../../platform/schema/validation.ts'

export const notificationTypes = ['PRODUCT_UPDATE', 'AVAILABILITY_UPDATE', 'BOOKING_UPDATE'] as const
export type NotificationType = (typeof notificationTypes)[number]

const eventTypesOf: Record<NotificationType, string> = {
  PRODUCT_UPDATE: 'product.*',
  AVAILABILITY_UPDATE: availabilityChanged,
  BOOKING_UPDATE: 'booking.*',
}

/** The types that a request names, in capitals or not, and an error for each unknown one. */
export function readTypes(given: readonly string[]): { types: NotificationType[]; errors: FieldError[] } {
  const read = given.map((text) => notificationTypes.find((type) => type === text.trim().toUpperCase()))
  const errors = read.flatMap((type, index) =>
    type
      ? []
      : { field: `notificationTypes[${index}]`, message: `must be one of ${notificationTypes.join(', ')}` },
  )
  return { types: read.filter((type) => type !== undefined), errors }
}

/** The EventTypes of an endpoint that subscribes to these types. */
export function toEventTypes(types: readonly NotificationType[]): string[] {
  return [...new Set(types.map((type) => eventTypesOf[type]))]
}

/** The types to which an endpoint subscribes, in OCTO's order. */
export function toNotificationTypes(eventTypes: readonly string[]): NotificationType[] {
  const subscribed = new Set(eventTypes.map(nameOf))
  return notificationTypes.filter((type) => subscribed.has(type) || eventTypes.includes('*'))
}

/**
 * The type of an event in OCTO's notifications, such as `BOOKING_UPDATE`; `TEST` for a test of an endpoint.
 */
export function nameOf(eventType: string): string {
  return eventType === testType ? 'TEST' : `${eventType.split('.', 1)[0]!.toUpperCase()}_UPDATE`
}

const maxHeaders = 20
const maxNameLength = 100
const maxValueLength = 1000

/** Headers that deliveries set themselves, and headers that control the HTTP connection. */
const takenHeaders =
  /^(webhook-.*|proxy-.*|content-.*|accept-encoding|connection|date|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/i

/**
 * The faults in the headers that a subscriber adds. If there are too many headers, only the first 20 are
 * checked.
 */
export function headerErrors(headers: OwnHeaders): FieldError[] {
  const names = Object.keys(headers)
  const errors: FieldError[] = []
  if (names.length > maxHeaders)
    errors.push({ field: 'headers', message: `must have at most ${maxHeaders} headers` })
  const known = new Set<string>()
  for (const [name, value] of Object.entries(headers).slice(0, maxHeaders)) {
    const field = `headers.${name.slice(0, maxNameLength)}`
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name.length > maxNameLength || name === '__proto__')
      errors.push({ field, message: 'is not a valid name of an HTTP header' })
    else if (takenHeaders.test(name))
      errors.push({ field, message: 'is a header that the service or HTTP sets' })
    else if (known.has(name.toLowerCase())) errors.push({ field, message: 'is given twice' })
    known.add(name.toLowerCase())
    if (!/^[\x20-\x7e]*$/.test(value) || value.length > maxValueLength)
      errors.push({ field, message: `must be at most ${maxValueLength} characters of printable ASCII` })
  }
  return errors
}
