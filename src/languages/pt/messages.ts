/** Texts of the dashboard in Portuguese: e-mails, workflows and webhooks. */
import type { messages as english } from '../en/messages.ts'

export const messages: Readonly<Record<keyof typeof english, string>> = {}
