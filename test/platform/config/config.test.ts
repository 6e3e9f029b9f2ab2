/** The configuration: its defaults and its errors. */
import t from 'tap'
import {
  ConfigError,
  openingKeys,
  outgoingRules,
  readConfig,
  servedDatabase,
} from '../../../src/platform/config/config.ts'

t.test('an empty variable counts as unset', async (t) => {
  const config = readConfig({ PORT: '', DATABASE_URL: '', HOST: '' })
  t.match(config, { PORT: 3000, HOST: '127.0.0.1', DATABASE_URL: undefined })
})

t.test('PUBLIC_URL and PROBLEM_BASE follow from HOST and PORT unless they are set', async (t) => {
  t.match(readConfig({ PORT: '8080' }), {
    PUBLIC_URL: 'http://127.0.0.1:8080',
    PROBLEM_BASE: 'http://127.0.0.1:8080/problems',
  })
  t.equal(readConfig({ HOST: '::1' }).PUBLIC_URL, 'http://[::1]:3000')
  t.equal(readConfig({ PUBLIC_URL: 'https://b.example' }).PROBLEM_BASE, 'https://b.example/problems')
  t.equal(readConfig({ PROBLEM_BASE: 'https://p.example/x' }).PROBLEM_BASE, 'https://p.example/x')
})

t.test('MAIL_FROM is required with SMTP_URL, and has a default without it', async (t) => {
  t.throws(() => readConfig({ SMTP_URL: 'smtps://u:p@mail.example' }), { message: /^MAIL_FROM must/ })
  t.equal(readConfig({}).MAIL_FROM, 'bookings@localhost')
})

t.test('SECRET_KEY_PREVIOUS requires SECRET_KEY, and is tried after it', async (t) => {
  const [SECRET_KEY, SECRET_KEY_PREVIOUS] = ['x'.repeat(32), 'y'.repeat(32)]
  t.throws(() => readConfig({ SECRET_KEY_PREVIOUS }), { message: /^SECRET_KEY must/ })
  t.same(openingKeys(readConfig({ SECRET_KEY, SECRET_KEY_PREVIOUS })), [SECRET_KEY, SECRET_KEY_PREVIOUS])
  t.same(openingKeys(readConfig({})), [])
})

t.test('webhooks may go to public addresses over https, and elsewhere only as configured', async (t) => {
  t.same(outgoingRules(readConfig({})), { privateNetworks: [], allowHttp: false })
  const configured = { WEBHOOK_PRIVATE_NETWORKS: '10.0.0.0/8, ::1', WEBHOOK_ALLOW_HTTP: '1' }
  t.same(outgoingRules(readConfig(configured)), { privateNetworks: ['10.0.0.0/8', '::1'], allowHttp: true })
  const message = /^WEBHOOK_PRIVATE_NETWORKS must .*: 'fe80::\/200' is neither/
  t.throws(() => readConfig({ WEBHOOK_PRIVATE_NETWORKS: '10.0.0.0/8,fe80::/200' }), { message })
})

const refused: [string, string][] = [
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['PORT', '80.5'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_POOL_MODE', 'statement'],
  ['DATABASE_REPLICA_URL', 'standby:5432'],
  ['REPLICA_LAG_SECONDS', '0'],
  ['REDIS_URL', 'localhost:6379'],
  ['REDIS_URL', 'redis://a:6379,b:6379'],
  ['LOG_LEVEL', 'loud'],
  ['PUBLIC_URL', 'booking.example'],
  ['PUBLIC_URL', 'https://booking.example/'],
  ['SECRET_KEY', 'short'],
  ['METRICS_TOKEN', 'fifteen letters'],
  ['RATE_LIMIT_PER_SECOND', '-1'],
  ['SMTP_URL', 'mail.example:25'],
  ['SMTP_URL', 'smtp://mail.example?tls=maybe'],
  ['SMTP_URL', 'smtp://mail.example/?rejectUnauthorized=false'],
  ['MAIL_FROM', 'Quay <quay@example.com>'],
  ['WEBHOOK_PRIVATE_NETWORKS', 'internal'],
  ['WEBHOOK_PRIVATE_NETWORKS', '10.0.0.0/33'],
  ['WEBHOOK_PRIVATE_NETWORKS', '10.0.0.0/8,'],
  ['WEBHOOK_ALLOW_HTTP', '2'],
]
for (const [name, value] of refused) {
  t.test(`${name}=${value} is refused, and the error names the variable`, async (t) => {
    t.throws(() => readConfig({ [name]: value }), { message: new RegExp(`^${name} must`) })
  })
}

t.test('a Redis Cluster needs a QUEUE_PREFIX that keeps the queues on one node', async (t) => {
  const REDIS_URL = 'redis://:secret@a:6379, rediss://b:6380'
  t.equal(readConfig({ REDIS_URL }).REDIS_URL, REDIS_URL)
  t.equal(readConfig({ REDIS_URL, QUEUE_PREFIX: 'x{y}z' }).QUEUE_PREFIX, 'x{y}z')
  t.equal(readConfig({ REDIS_URL: 'redis://a', QUEUE_PREFIX: 'abs' }).QUEUE_PREFIX, 'abs')
  for (const QUEUE_PREFIX of ['abs', '{}abs', '}abs{'])
    t.throws(() => readConfig({ REDIS_URL, QUEUE_PREFIX }), { message: /^QUEUE_PREFIX must .*braces/ })
})

t.test('behind PgBouncer, DATABASE_DIRECT_URL is required', async (t) => {
  const pooled = { DATABASE_POOL_MODE: 'transaction', DATABASE_URL: 'postgres://pool:6432/booking' }
  t.throws(() => readConfig(pooled), { message: /^DATABASE_DIRECT_URL must/ })
  const DATABASE_DIRECT_URL = 'postgres://postgres:5432/booking'
  t.match(readConfig({ ...pooled, DATABASE_DIRECT_URL }), { DATABASE_DIRECT_URL })
})

t.test(
  'DATABASE_DIRECT_URL alone is enough for commands, and not for the processes that serve',
  async (t) => {
    const DATABASE_DIRECT_URL = 'postgres://postgres:5432/booking'
    const alone = readConfig({ DATABASE_DIRECT_URL })
    t.throws(() => servedDatabase(alone), { message: /^DATABASE_URL must be set with DATABASE_DIRECT_URL/ })
    const DATABASE_URL = 'postgres://pool:6432/booking'
    t.equal(servedDatabase(readConfig({ DATABASE_DIRECT_URL, DATABASE_URL })), DATABASE_URL)
    t.equal(servedDatabase(readConfig({})), undefined)
  },
)

t.test('one error names every invalid value', async (t) => {
  try {
    readConfig({ PORT: 'x', LOG_LEVEL: 'loud' })
    t.fail('nothing was refused')
  } catch (error) {
    t.ok(error instanceof ConfigError)
    t.match((error as Error).message, /PORT/)
    t.match((error as Error).message, /LOG_LEVEL/)
  }
})
