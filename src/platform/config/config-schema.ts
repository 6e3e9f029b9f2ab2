/**
 * The whole configuration: every environment variable that the service reads, with its meaning, default and
 * rule. `npm run tables` writes the table in docs/configuration.md from it.
 */
import { type Static, Type } from '../schema/typebox.ts'

const proxy = '(loopback|linklocal|uniquelocal|[\\da-fA-F.:]+(/\\d+)?)'
const httpUrl = '^https?://[^\\s]+[^/\\s]$'

export const configSchema = Type.Object({
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address the web process listens on.',
  }),
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'Port the web process listens on; 0 takes a free one.',
  }),
  DATA_DIR: Type.String({
    default: '.data',
    minLength: 1,
    description:
      'Folder of the embedded PostgreSQL, of what `npm start` keeps, and of e-mails of test accounts.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description: 'PostgreSQL to use. Unset: a PostgreSQL from npm, kept under `DATA_DIR`.',
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 1000,
    description:
      'Connections to PostgreSQL that one process shares among its requests or jobs, at most. It opens more for some purposes: see [Capacity](scaling.md#capacity).',
  }),
  DATABASE_POOL_MODE: Type.Enum(['session', 'transaction'], {
    default: 'session',
    description:
      '`transaction` behind a PgBouncer with `pool_mode = transaction`, as `ops/pgbouncer.ini` has it.',
  }),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'The same PostgreSQL without PgBouncer in between: for migrations, the command line, and queues that are kept in PostgreSQL. To be set with `DATABASE_POOL_MODE=transaction`. Unset: `DATABASE_URL`.',
    }),
  ),
  DATABASE_REPLICA_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'One streaming standby of that PostgreSQL, which answers partners’ questions about catalogue and availability. Unset: the primary does.',
    }),
  ),
  REPLICA_LAG_SECONDS: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 60,
    description:
      'How old an answer of the standby may be; when it may be older, or fails, the primary answers.',
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://[^,\\s]+(\\s*,\\s*rediss?://[^,\\s]+)*$',
      description:
        'Redis that keeps the job queues; several URLs with commas between are nodes of one Redis Cluster. Unset: PostgreSQL keeps them.',
    }),
  ),
  QUEUE_PREFIX: Type.String({
    default: '{abs}',
    pattern: '^[^:\\s]+$',
    description: 'First part of the queues’ Redis keys; the braces keep them on one node of a Redis Cluster.',
  }),
  ALLOW_VOLATILE_QUEUE: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1,
    description:
      '1 takes a Redis that may forget what it acknowledged. Otherwise usage goes straight to PostgreSQL then.',
  }),
  QUEUE_BACKLOG_LIMIT: Type.Integer({
    default: 50_000,
    minimum: 1,
    description: 'Usage jobs that may wait in the queue; past it, usage goes straight to PostgreSQL.',
  }),
  WORKER_PORT: Type.Integer({
    default: 3001,
    minimum: 0,
    maximum: 65535,
    description: 'Port on which a worker answers `/healthz` and `/metrics`; 0 is off.',
  }),
  METRICS_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'Port of its own on which the web process answers `/metrics`; 0 is off.',
  }),
  METRICS_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      description:
        'What `/metrics` asks for everywhere, as `Authorization: Bearer …`; 16 characters or more. Unset: ports of its own ask for nothing, and `PORT` has no `/metrics`.',
    }),
  ),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'Least level that is logged.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]+$',
      description:
        'OpenTelemetry receiver that traces are sent to, as JSON over HTTP to `/v1/traces` below this URL. See [Traces](traces.md). Unset: nothing is traced.',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({
      pattern: '^[!-<>-~]+=[^,\\s]+( *, *[!-<>-~]+=[^,\\s]+)*$',
      description:
        'Headers of requests to that receiver, with commas between: `authorization=Bearer%20…`. Values are URL-encoded. A secret.',
    }),
  ),
  OTEL_SERVICE_NAME: Type.String({
    default: 'activity-booking-service',
    minLength: 1,
    description: 'Name of the service in traces.',
  }),
  OTEL_TRACES_SAMPLER: Type.Enum(
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    {
      default: 'parentbased_always_on',
      description:
        'Which traces are recorded. With `parentbased_`, the `traceparent` of a request decides for that request.',
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: 'The share of traces that `traceidratio` and `parentbased_traceidratio` record.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: httpUrl,
      description:
        'Where the world reaches the service, without a slash at the end. Unset: `http://HOST:PORT`.',
    }),
  ),
  TRUSTED_PROXIES: Type.Optional(
    Type.String({
      pattern: `^${proxy}( *, *${proxy})*$`,
      description:
        'Addresses and networks of the proxies in front, with commas between (`loopback`, `10.0.0.0/8`). Their `X-Forwarded-For` says where a request came from. Unset: the address that connects counts. Behind a proxy that is one address for everybody, so set this there: wrong passwords count against an address.',
    }),
  ),
  PROBLEM_BASE: Type.Optional(
    Type.String({
      pattern: httpUrl,
      description: 'What the `type` of every problem begins with. Unset: `PUBLIC_URL/problems`.',
    }),
  ),
  SECRET_KEY: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'Signs what the service hands out to be handed back, such as links in e-mails, and seals the secrets of payment providers; the same in every process; 32 characters or more, at random. Unset: no payment events are taken (503). `npm start` makes one.',
    }),
  ),
  SECRET_KEY_PREVIOUS: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'While `SECRET_KEY` is changed, the other of the two: it opens what was signed or sealed with it, and signs and seals nothing. See `docs/keys.md`.',
    }),
  ),
  QUEUES_ACCOUNT: Type.Optional(
    Type.String({
      description:
        'Slug of the account whose owners may look into the queues at `/dashboard/queues`, where jobs of all accounts are. Unset: owners may while theirs is the only account.',
    }),
  ),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://[^\\s?#/]+/?(\\?tls=(required|none))?$',
      description:
        'Server that e-mail is handed to, `smtp://user:password@host:port`, always over TLS: `smtps://` from the start, `smtp://` by STARTTLS. Without it only to this very machine, or with `?tls=none`. Unset: .eml files under `DATA_DIR/outbox`.',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      pattern: '^[^\\s@<>(),;:"\\\\]+@[^\\s@<>(),;:"\\\\]+$',
      description:
        'Address that e-mail comes from, beside the account’s name; to be set with `SMTP_URL`. Unset, in files: bookings@localhost.',
    }),
  ),
  WEBHOOK_PRIVATE_NETWORKS: Type.Optional(
    Type.String({
      description:
        'Networks and addresses that webhooks may be sent to although they are not public, with commas between (`10.0.0.0/8, ::1`). `localhost` is often both `127.0.0.1` and `::1`. An address where a cloud gives its machines credentials needs an entry of its own. Unset: public addresses only.',
    }),
  ),
  WEBHOOK_ALLOW_HTTP: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1,
    description:
      '1 lets webhooks go to `http://` URLs too, where others on the way can read and change them. Otherwise only to `https://`.',
  }),
  PERSONAL_DATA_RETENTION_DAYS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 36_500,
    description:
      'Personal data of customers is erased this many days after the end of their timeslot (`docs/personal-data.md`); 0 keeps it.',
  }),
  EMAIL_RETENTION_DAYS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 36_500,
    description:
      'Days after which e-mails leave the list that were sent, dropped or have failed; 0 keeps them.',
  }),
  EVENT_RETENTION_DAYS: Type.Integer({
    default: 90,
    minimum: 0,
    maximum: 36_500,
    description:
      'Days after which events leave the log that are not about a booking; 0 keeps them. Those of a booking stay as long as the booking; of a product the latest stays, and the latest that moved it in or out of the shopfront. Those that a webhook endpoint still needs stay too, for 30 days if it is paused.',
  }),
  RATE_LIMIT_PER_SECOND: Type.Integer({
    default: 0,
    minimum: 0,
    description:
      'Requests a second that one key may make, over five seconds; 0 is no limit. See [Limits](#limits).',
  }),
  REQUEST_TIMEOUT_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 300,
    description: 'Longest time to receive a request, and again to answer it (503 after that).',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 300,
    description: 'Longest time that work under way is waited for after SIGTERM.',
  }),
  SHUTDOWN_DELAY_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 300,
    description:
      'How long a web process goes on taking requests after SIGTERM, with `/readyz` 503, so that a balancer sees it and sends them elsewhere. The wait for work under way begins after that.',
  }),
  SCHEDULE_HORIZON_DAYS: Type.Integer({
    default: 400,
    minimum: 1,
    maximum: 1500,
    description: 'How many days ahead schedules are turned into timeslots.',
  }),
})

export type Variables = Static<typeof configSchema>

/** Rules in words, for variables whose pattern alone would not explain them. */
export const patternRules: Record<string, string> = {
  DATABASE_URL: 'must be a postgres:// URL',
  DATABASE_DIRECT_URL: 'must be a postgres:// URL',
  DATABASE_REPLICA_URL: 'must be a postgres:// URL',
  REDIS_URL: 'must be a redis:// or rediss:// URL, or several separated by commas',
  QUEUE_PREFIX: 'must have no colon and no space',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'must be an http:// or https:// URL',
  OTEL_EXPORTER_OTLP_HEADERS: 'must be headers as name=value, with URL-encoded values, separated by commas',
  PUBLIC_URL: 'must be an http:// or https:// URL without a slash at the end',
  PROBLEM_BASE: 'must be an http:// or https:// URL without a slash at the end',
  SMTP_URL: 'must be an smtp:// or smtps:// URL with nothing after the host but ?tls=required or ?tls=none',
  TRUSTED_PROXIES: 'must be addresses, networks such as 10.0.0.0/8, or loopback, separated by commas',
  MAIL_FROM: 'must be an e-mail address',
}
