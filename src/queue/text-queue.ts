/** Has BullMQ's queues take payloads that are JSON already, besides those that they write as JSON themselves. */
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

/** Has a queue make its jobs so that their payload may be a JobText. */
export function takeText<Q extends object>(queue: Q): Q {
  return Object.defineProperty(queue, 'Job', { value: TextJob })
}
