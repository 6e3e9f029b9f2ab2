/**
 * The folder of .eml files. Messages of test accounts always become files. All other messages become files
 * only if no mail server is configured.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'

export function messageFile(dataDir: string, messageId: string): string {
  return path.join(dataDir, 'outbox', `${messageId}.eml`)
}

/** Deletes the files of these messages. Messages that were sent to a server have no file, which is no error. */
export async function removeMessages(dataDir: string, messageIds: string[]): Promise<void> {
  for (const id of messageIds) await rm(messageFile(dataDir, id), { force: true })
}
