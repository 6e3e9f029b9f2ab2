import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import t from 'tap'
import { sendCsv, toCell } from '../../../src/dashboard/frame/csv.ts'
import { until } from '../../until.ts'

t.test('in a CSV file, no text becomes a formula, and every cell stays one cell', async (t) => {
  for (const text of ['=1+1', '+351', '-5', '@SUM(A1)', ' =1', '\t=1', '＝1'])
    t.match(toCell(text), /^"?'/, `${text} is text`)
  t.equal(toCell('Lovelace, "Ada"'), '"Lovelace, ""Ada"""')
  t.equal(toCell(-5), '-5', 'a number has no quote before it')
  t.equal(toCell(null), '')
})

t.test('no more rows of a CSV file are read after the client disconnects', async (t) => {
  let rows = 0
  let ended = false
  async function* endless() {
    try {
      for (; ; rows++) yield [rows, 'x'.repeat(1000)]
    } finally {
      ended = true
    }
  }
  const app = fastify()
  app.get('/file', (_request, reply) => sendCsv(reply, 'file.csv', endless()))
  t.teardown(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const request = get({ host: '127.0.0.1', port, path: '/file', agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  await once(answer, 'readable')
  t.notOk(ended)
  request.destroy()
  await until(() => ended)
  t.ok(rows > 0)
})
