/**
 * Medusa's inventory module on its own, reserving stock under its lock as its checkout does. `prepare` makes the
 * tables and an item in stock for each timeslot (JSON on standard input). Without `prepare`, the program listens
 * on PORT.
 */
import { text } from 'node:stream/consumers'
import { MedusaApp, MedusaAppMigrateUp } from '@medusajs/framework/modules-sdk'
import { ContainerRegistrationKeys, createPgConnection, Modules } from '@medusajs/framework/utils'
import { fastify } from 'fastify'

// Medusa looks for its modules from where the process runs.
process.chdir(import.meta.dirname)
const { DATABASE_URL: clientUrl, PORT } = process.env
const location = 'dock'
const connection = createPgConnection({ clientUrl, pool: { min: 10, max: 10 } })
const logger = { debug() {}, info() {}, log() {}, warn: console.error, error: console.error }
const options = {
  modulesConfig: {
    [Modules.INVENTORY]: { resolve: '@medusajs/inventory', options: { database: { clientUrl } } },
    [Modules.LOCKING]: { resolve: '@medusajs/locking' },
    // Replaces the module of links between modules, because Medusa reports an error if the linked modules are missing.
    [Modules.LINK]: { initialize: async () => ({}), getMigrationPlanner: () => null },
  },
  sharedResourcesConfig: { database: { clientUrl } },
  injectedDependencies: {
    [ContainerRegistrationKeys.PG_CONNECTION]: connection,
    [ContainerRegistrationKeys.LOGGER]: logger,
  },
}

if (process.argv[2] === 'prepare') {
  await MedusaAppMigrateUp(options)
  const { inventory } = await open()
  const slots = JSON.parse(await text(process.stdin))
  const items = await inventory.createInventoryItems(slots.map(({ sku }) => ({ sku })))
  const bySku = new Map(items.map(({ sku, id }) => [sku, id]))
  await inventory.createInventoryLevels(
    slots.map(({ sku, capacity }) => {
      return { inventory_item_id: bySku.get(sku), location_id: location, stocked_quantity: capacity }
    }),
  )
  process.exit(0)
}

const { inventory, locking } = await open()
// Loaded in advance, as a shop would keep the items in a cache.
const items = await inventory.listInventoryItems({}, { take: null, select: ['id', 'sku'] })
const itemOf = new Map(items.map(({ sku, id }) => [sku, id]))

const app = fastify()
const string = { type: 'string', minLength: 1 }
const body = {
  type: 'object',
  required: ['ActivityID', 'Date', 'Time', 'Participants', 'Customer'],
  properties: {
    ActivityID: string,
    Date: string,
    Time: string,
    Participants: { type: 'integer', minimum: 1 },
    Customer: {
      type: 'object',
      required: ['FirstName', 'LastName', 'Email'],
      properties: { FirstName: string, LastName: string, Email: { ...string, format: 'email' } },
    },
  },
}
app.get('/', async () => 'here')
app.post('/booking/medusa', { schema: { body } }, async (request, reply) => {
  const { ActivityID, Date: date, Time: time, Participants, Customer } = request.body
  const item = itemOf.get(`${ActivityID} ${date} ${time}`)
  const reservation = {
    inventory_item_id: item,
    location_id: location,
    quantity: Participants,
    metadata: Customer,
  }
  try {
    const [made] = await locking.execute([item], () => inventory.createReservationItems([reservation]))
    return reply
      .code(201)
      .send({ data: { BookingReference: made.id, Status: 'confirmed', Date: date, Time: time } })
  } catch (error) {
    if (error.type === 'not_allowed') return reply.code(409).send({ title: 'sold out' })
    // The lock was not free within the timeout of Medusa.
    if (/Timed-out/.test(error.message)) return reply.code(503).send({ title: 'busy' })
    throw error
  }
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })

async function open() {
  const { modules } = await MedusaApp(options)
  return { inventory: modules[Modules.INVENTORY], locking: modules[Modules.LOCKING] }
}
