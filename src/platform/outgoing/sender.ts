import { request } from 'undici'
export type OutgoingRules = { privateNetworks: readonly string[]; allowHttp: boolean }
export type OutgoingAnswer = { status: number; excerpt: string; retryAfterSeconds: number | null }
export type Sender = {
  post(url: string, headers: Record<string, string>, body: string): Promise<OutgoingAnswer>
  close(): Promise<void>
}
export class OutgoingFailure extends Error {}
export function openSender(_rules: OutgoingRules): Sender {
  return {
    async post(url, headers, body) {
      try {
        const answer = await request(url, { method: 'POST', headers, body })
        const text = await answer.body.text()
        const after = Number(answer.headers['retry-after'])
        return { status: answer.statusCode, excerpt: text.slice(0, 1024), retryAfterSeconds: after || null }
      } catch (error) {
        throw new OutgoingFailure((error as Error).message)
      }
    },
    close: async () => {},
  }
}
