/** The built-in meters, as data. They count events of the log as usage. */

export type BuiltInMeter = 'order-completed' | 'waitlist-notified' | 'workflow-email-sent'

/**
 * Selects the events that a meter counts: by type, and, unless they are null, by actor and by the `Kind` in
 * the details.
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

/** The meter that counts an event; null if no meter counts it. */
export function findMeter({ type, actor, details }: MeteredEvent): BuiltInMeter | null {
  const rule = meterRules.find(
    (rule) =>
      rule.type === type &&
      (rule.actor === null || rule.actor === actor) &&
      (rule.kind === null || rule.kind === details.Kind),
  )
  return rule?.meter ?? null
}
