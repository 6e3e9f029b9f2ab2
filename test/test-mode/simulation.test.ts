/** The e-mail addresses that select a simulated response, as docs/going-live.md lists them. */
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import {
  simulatedAddresses,
  simulationOf,
  simulations,
  slowSeconds,
  unavailableSeconds,
} from '../../src/test-mode/simulation.ts'

t.test('each address of the table selects its own response, in upper or lower case', async (t) => {
  for (const name of Object.keys(simulations)) {
    t.equal(simulationOf(`${name}@simulated.test`), name)
    t.equal(simulationOf(`${name.toUpperCase()}@Simulated.TEST`), name)
  }
})

t.test(
  'another address of the domain is unknown, also one named like a property of every object',
  async (t) => {
    for (const name of ['soldout', 'constructor', '__proto__', 'toString', ''])
      t.equal(simulationOf(`${name}@simulated.test`), 'unknown', name)
  },
)

t.test('an address of another domain simulates nothing', async (t) => {
  for (const address of [
    'sold-out@example.com',
    'slow@simulated.test.example.com',
    'slow@not-simulated.test',
  ])
    t.equal(simulationOf(address), null, address)
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      fc.pre(!address.toLowerCase().endsWith('@simulated.test'))
      return simulationOf(address) === null
    }),
  )
})

t.test('“Going live” lists each address, the delay of the slow response, and the Retry-After', async (t) => {
  const page = await readFile(projectPath('docs', 'going-live.md'), 'utf8')
  const listed = [...page.matchAll(/^\| `([^`]+@simulated\.test)` \|/gm)].map(([, address]) => address)
  t.same(listed, simulatedAddresses)
  t.match(page, `after ${slowSeconds} seconds`)
  t.match(page, `\`Retry-After: ${unavailableSeconds}\``)
})
