/**
 * A receiver of webhooks that accepts and counts everything: plain Node, so that it costs as little as
 * possible.
 */
import { createServer } from 'node:http'
import { endWithParent } from '../../src/platform/process/end-with-parent.ts'

endWithParent(() => process.exit(0))
let received = 0
let last = { headers: {}, body: '' }
createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ received, ...last }))
    return
  }
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => {
    body += part
  })
  request.on('end', () => {
    received++
    last = { headers: request.headers, body }
    response.writeHead(204).end()
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
