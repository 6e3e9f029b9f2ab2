/** The queues of the service. */

/** `concurrency` is how many jobs of the queue one worker runs at once. */
export const queues = {
  // Runs two jobs at once, so that a long job for one account does not delay all others.
  maintenance: { concurrency: 2 },
  // This queue has only the job that numbers events, so that no sweep delays it. It runs two at once, so that
  // an account with many events does not delay others.
  events: { concurrency: 2 },
  // Not in the queue `events`, so that copying to test accounts does not delay the numbering of events.
  'test-accounts': { concurrency: 1 },
  // The release of expired holds has a separate queue, so that maintenance jobs, which may take minutes, do
  // not delay it.
  holds: { concurrency: 1 },
  workflows: { concurrency: 1 },
  reports: { concurrency: 1 },
  // A job starts deliveries and ends while they still run. Two jobs run at once, because one may have many to
  // start.
  webhooks: { concurrency: 2 },
  // One more than the number of e-mails that a worker sends at once. So a new job can start even if each of
  // the others waits for a slow e-mail.
  emails: { concurrency: 6 },
  // The worker merges the usage jobs that run at once, so more jobs make larger statements.
  usage: { concurrency: 250 },
} as const satisfies Record<string, { concurrency: number }>
export type QueueName = keyof typeof queues
export const queueNames = Object.keys(queues) as QueueName[]
