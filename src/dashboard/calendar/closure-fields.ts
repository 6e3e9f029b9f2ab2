/** The schemas of the closure form and of its query parameters. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { closureRequestSchema } from '../../sales/closure/schemas.ts'

const { TimeslotID, From, To, Action } = closureRequestSchema.properties
/** The timeslot to move bookings to, as the select field of the form sends it: its date and time. */
const Target = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}$' }))
export const querySchema = Type.Object({
  ...{ TimeslotID, From, To, ProductID: TimeslotID, Target },
  Action: Type.Optional(Action),
})
export const formSchema = Type.Object({
  Step: Type.Enum(['preview', 'close']),
  ...closureRequestSchema.properties,
  Target,
})
export type ClosureFields = Omit<Static<typeof formSchema>, 'Step'>
