/** The folder of messages that become files while no mail server is configured. */
import { rm } from 'node:fs/promises'
import path from 'node:path'

export function messageFile(dataDir: string, messageId: string): string {
  return path.join(dataDir, 'outbox', `${messageId}.eml`)
}

/** Deletes the files of messages in this folder. Messages that went to a server have none. */
export async function removeMessages(dataDir: string, messageIds: string[]): Promise<void> {
  for (const id of messageIds) await rm(messageFile(dataDir, id), { force: true })
}
