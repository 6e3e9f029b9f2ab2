/**
 * A program that posts the same body repeatedly with undici, over as many connections as a worker has to one receiver.
 */
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { endWithParent } from '../../src/platform/process/end-with-parent.ts'

/** `connections`: how many connections to open to the target, each with one request at a time. */
export type CallOrder = {
  target: string
  count: number
  connections: number
  headers: Record<string, string>
  body: string
}

endWithParent(() => process.exit(0))
createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.end('here')
    return
  }
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const seconds = await call(JSON.parse(Buffer.concat(parts).toString()) as CallOrder)
  response.end(JSON.stringify({ seconds }))
}).listen(Number(process.env.PORT), '127.0.0.1')

async function call({ target, count, connections, headers, body }: CallOrder): Promise<number> {
  const { origin, pathname } = new URL(target)
  const pool = new Pool(origin, { connections })
  let left = count
  const began = performance.now()
  async function work() {
    while (left-- > 0) {
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body })
      await answer.body.text()
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return seconds
}
