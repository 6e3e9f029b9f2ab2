/** The built-in meters: which events of the log count as usage, as data. */

export type BuiltInMeter = 'order-completed' | 'waitlist-notified' | 'workflow-email-sent'

/**
 * The events that a meter counts: by type, and by actor and the `Kind` in their details where the rule names
 * one.
 */
export type MeterRule = { meter: BuiltInMeter; type: string; actor: string | null; kind: string | null }

export const meterRules: readonly MeterRule[] = [
  { meter: 'order-completed', type: 'basket.completed', actor: null, kind: null },
  // A partner's booking is a completed purchase by itself.
  { meter: 'order-completed', type: 'booking.confirmed', actor: 'partner', kind: null },
  { meter: 'waitlist-notified', type: 'email.sent', actor: null, kind: 'waitlist-offer' },
  { meter: 'workflow-email-sent', type: 'email.sent', actor: null, kind: 'workflow' },
]

type MeteredEvent = { type: string; actor: string; details: Record<string, unknown> }

/** The meter that counts an event; null when none does. */
export function findMeter({ type, actor, details }: MeteredEvent): BuiltInMeter | null {
  const rule = meterRules.find(
    (rule) =>
      rule.type === type &&
      (rule.actor === null || rule.actor === actor) &&
      (rule.kind === null || rule.kind === details.Kind),
  )
  return rule?.meter ?? null
}
