/** The reasons of refunds in words. Pure. */
import { parts } from '../../languages/en/parts.ts'
import type { Texts } from '../../languages/texts.ts'

type ReasonKey = Extract<keyof typeof parts, `refund.reason.${string}`>

/** A reason in words. A reason that this version does not know is returned unchanged. */
export function reasonText(t: Texts, reason: string): string {
  const key = `refund.reason.${reason}`
  return isReason(key) ? t.say(key) : reason
}

function isReason(key: string): key is ReasonKey {
  return Object.hasOwn(parts, key)
}
