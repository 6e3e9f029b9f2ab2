/** The embedded PostgreSQL of `npm start`, restarted each time it ends by itself. */
import { startEmbeddedPostgres } from '../platform/embedded/embedded-postgres.ts'

export type SupervisedPostgres = {
  url: string
  /** Rejects when PostgreSQL has ended and does not start again on the same port. */
  failed: Promise<never>
  stop(): Promise<void>
}

/** @throws when it does not start. */
export async function superviseEmbeddedPostgres(
  dataDir: string,
  say: (line: string) => void,
): Promise<SupervisedPostgres> {
  let current = await startEmbeddedPostgres(dataDir)
  let stopping = false
  const { url } = current
  const bringBack = async () => {
    await current.lost
    while (!stopping) {
      say('PostgreSQL ended by itself; starting it again')
      current = await startEmbeddedPostgres(dataDir)
      if (current.url !== url) throw new Error('PostgreSQL did not start again on the same port')
      await current.lost
    }
  }
  const back = bringBack()
  const failed = new Promise<never>((_, reject) => {
    back.catch(reject)
  })
  const stop = () => {
    stopping = true
    return current.stop()
  }
  return { url, failed, stop }
}
