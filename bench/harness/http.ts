/** Single requests over kept connections, for loads that read each response. */
import { type Agent, request } from 'node:http'
import type { LoadRequest } from './load.ts'

export type Answer = { status: number; link: string | null; body: string }

/** Sends one request and reads its whole response. @throws when the connection breaks. */
export function ask(
  agent: Agent,
  target: string,
  { method, path, token, body }: LoadRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(`${target}${path}`, { agent, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject).on('end', () => {
        const link = answer.headers.link
        resolve({
          status: answer.statusCode!,
          link: Array.isArray(link) ? link.join(', ') : (link ?? null),
          body: Buffer.concat(chunks).toString(),
        })
      })
    })
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}
