/** Texts of the dashboard in English: e-mails, workflows and webhooks. */
export const messages = {} as const
