/** The form of a replay: from an event number, or from a date and time in the account's time zone. Pure. */
import { problems } from '../../http/problems.ts'
import { replayRequestSchema } from '../../messaging/webhooks/deliveries/schemas.ts'
import type { ReplayFrom } from '../../messaging/webhooks/deliveries/service.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import { instantIn } from '../../platform/text/local-time.ts'

export const replayForm = Type.Object({
  FromNumber: replayRequestSchema.properties.FromNumber,
  FromTime: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\dT([01]\\d|2[0-3]):[0-5]\\d$',
      errorMessage: 'must be a date and a time, such as 2027-06-11T10:00',
    }),
  ),
})

/**
 * @throws Problem validation unless exactly one of FromNumber and FromTime is given, or if the date does not
 * exist.
 */
export function readReplay(
  { FromNumber, FromTime }: Static<typeof replayForm>,
  timeZone: string,
): ReplayFrom {
  if (FromNumber === undefined && FromTime === undefined)
    throw problems.validation([{ field: 'FromNumber', message: 'or FromTime is needed' }])
  if (FromNumber !== undefined && FromTime !== undefined)
    throw problems.validation([
      { field: 'FromNumber', message: 'cannot be combined with FromTime: fill in one of them' },
    ])
  if (FromNumber !== undefined) return { number: FromNumber }
  if (!isCalendarDate(FromTime!.slice(0, 10)))
    throw problems.validation([{ field: 'FromTime', message: 'is not a valid date' }])
  return { since: instantIn(timeZone, FromTime!) }
}
