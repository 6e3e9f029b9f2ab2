/** Where messages are kept that became files, while no mail server is set. */
import { rm } from 'node:fs/promises'
import path from 'node:path'

export function messageFile(dataDir: string, messageId: string): string {
  return path.join(dataDir, 'outbox', `${messageId}.eml`)
}

/** Deletes messages that became files under this folder; of those that went elsewhere there is none. */
export async function removeMessages(dataDir: string, messageIds: string[]): Promise<void> {
  for (const id of messageIds) await rm(messageFile(dataDir, id), { force: true })
}
