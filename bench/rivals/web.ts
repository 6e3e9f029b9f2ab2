/** The rivals that are served over HTTP: one Fastify with our validator, and none of our hooks. */
import { fastify } from 'fastify'
import { openDatabase } from '../../src/platform/postgres/database.ts'
import { endWithParent } from '../../src/platform/process/end-with-parent.ts'
import { validatorCompiler } from '../../src/platform/schema/validation.ts'
import { availabilityRivals } from './availability.ts'
import { bookingRivals } from './booking.ts'
import { meteringRivals } from './metering.ts'

const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl, RIVAL_QUEUE: queue, PORT } = process.env

endWithParent(() => process.exit(0))
const sql = openDatabase(databaseUrl, { poolSize: 10, applicationName: 'abs-bench-rival' })
const app = fastify()
app.setValidatorCompiler(validatorCompiler)
app.get('/', async () => 'here')
await app.register(bookingRivals, { sql })
await app.register(meteringRivals, { sql, databaseUrl, redisUrl, queue })
await app.register(availabilityRivals)
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
