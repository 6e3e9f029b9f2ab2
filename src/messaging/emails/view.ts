/** An e-mail of the outbox in responses. */
import type { EmailRow } from './list-queries.ts'
import type { EmailView } from './schemas.ts'

export function emailView(email: EmailRow): EmailView {
  return {
    EmailID: email.id,
    Kind: email.kind,
    Status: email.status,
    To: email.to,
    Subject: email.subject,
    BookingReference: email.bookingReference,
    WorkflowID: email.workflowId,
    WorkflowName: email.workflowName,
    WaitlistID: email.waitlistEntryId,
    Attempts: email.attempts,
    NextTryAt: email.status === 'queued' ? email.nextTryAt.toISOString() : null,
    Reason: email.reason,
    CreatedAt: email.createdAt.toISOString(),
    SentAt: email.sentAt?.toISOString() ?? null,
  }
}

/**
 * Adds fields to a response of runOnce(), which an earlier version of the service may have stored without
 * them.
 */
export function completeEmailView({ answer, replayed }: { answer: Partial<EmailView>; replayed: boolean }) {
  return { answer: { To: null, Subject: null, WorkflowName: null, ...answer }, replayed }
}
