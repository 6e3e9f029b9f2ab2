/** Every queue there is, and how many of its jobs a worker holds at once. */

/** A queue's jobs wait for each other only as far as `concurrency`, the most that one worker holds at once. */
export const queues = {
  // Two, so that a job that takes long for one account does not hold up all others.
  maintenance: { concurrency: 2 },
  // The pump alone, so that no sweep delays the log; two, so that an account with much to number delays no other.
  events: { concurrency: 2 },
  // Apart from the pump, whose work is that of live accounts.
  'test-accounts': { concurrency: 1 },
  // Each alone: neither the other nor maintenance, whose jobs may take minutes, delays it.
  holds: { concurrency: 1 },
  workflows: { concurrency: 1 },
  reports: { concurrency: 1 },
  // A job begins what it can and ends; what it began goes on. Two, since one may have much to begin.
  webhooks: { concurrency: 2 },
  // One more than the deliveries that one worker has under way, so that a slow one is in nobody's way.
  emails: { concurrency: 6 },
  // The worker merges what it holds: the more jobs, the larger the statement that stores them.
  usage: { concurrency: 250 },
} as const satisfies Record<string, { concurrency: number }>
export type QueueName = keyof typeof queues
export const queueNames = Object.keys(queues) as QueueName[]
