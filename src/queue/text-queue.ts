/**
 * Lets BullMQ's queues accept payloads that are already JSON, besides payloads that BullMQ converts to JSON.
 */
import { Job } from 'bullmq'

/** A payload as JSON. */
export class JobText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

class TextJob extends Job {
  override asJSON() {
    if (!(this.data instanceof JobText)) return super.asJSON()
    const { text } = this.data
    this.data = undefined
    return { ...super.asJSON(), data: text }
  }
}

/** Makes a queue accept a JobText as payload. */
export function takeText<Q extends object>(queue: Q): Q {
  return Object.defineProperty(queue, 'Job', { value: TextJob })
}
