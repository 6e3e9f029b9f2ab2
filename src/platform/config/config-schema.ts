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
    description: 'Address that web processes and workers listen on, with all their ports.',
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
      'Folder for the embedded PostgreSQL, the files of `npm start`, and e-mails that are not sent to a mail server.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'The PostgreSQL to use. Unset: an embedded PostgreSQL from npm, with its data under `DATA_DIR`.',
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 1000,
    description:
      'The most connections to PostgreSQL that the requests or jobs of one process share. A process opens a few more for other purposes: see [Capacity](scaling.md#capacity).',
  }),
  DATABASE_POOL_MODE: Type.Enum(['session', 'transaction'], {
    default: 'session',
    description:
      '`transaction` behind a PgBouncer with `pool_mode = transaction`, as in `ops/pgbouncer.ini`.',
  }),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'The same PostgreSQL without PgBouncer: for migrations, commands, and queues in PostgreSQL. Required with `DATABASE_POOL_MODE=transaction`. Unset: `DATABASE_URL`. Without `DATABASE_URL`, only commands run.',
    }),
  ),
  DATABASE_REPLICA_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'One streaming standby of that PostgreSQL, which serves the catalogue and availability to partners. Unset: the primary serves them.',
    }),
  ),
  REPLICA_LAG_SECONDS: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 60,
    description:
      'How old the data of the standby may be. When it may be older, or the standby fails, the primary serves the request.',
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://[^,\\s]+(\\s*,\\s*rediss?://[^,\\s]+)*$',
      description:
        'The Redis that holds the job queues. Several URLs, separated by commas, are nodes of one Redis Cluster. Unset: PostgreSQL holds the queues.',
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
      '1 accepts a Redis that may lose jobs which it has acknowledged. With 0 and such a Redis, usage goes directly to PostgreSQL.',
  }),
  QUEUE_BACKLOG_LIMIT: Type.Integer({
    default: 50_000,
    minimum: 1,
    description:
      'The most unfinished usage jobs in the queue. At this limit, usage goes directly to PostgreSQL.',
  }),
  WORKER_PORT: Type.Integer({
    default: 3001,
    minimum: 0,
    maximum: 65535,
    description: 'Port on which a worker serves `/healthz` and `/metrics`; 0 is off.',
  }),
  METRICS_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'A separate port on which the web process serves `/metrics`; 0 is off.',
  }),
  METRICS_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      description:
        'The token that every request for `/metrics` must send, as `Authorization: Bearer …`; 16 characters or more. Unset: `METRICS_PORT` and `WORKER_PORT` need no token, and `PORT` does not serve `/metrics`.',
    }),
  ),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'Lowest level that is logged. A job that found nothing to do is logged at `debug`.',
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
      description: 'The public URL of the service, without a slash at the end. Unset: `http://HOST:PORT`.',
    }),
  ),
  TRUSTED_PROXIES: Type.Optional(
    Type.String({
      pattern: `^${proxy}( *, *${proxy})*$`,
      description:
        'Addresses and networks of the proxies in front of the service, separated by commas (`loopback`, `10.0.0.0/8`). The client’s address is then read from their `X-Forwarded-For`. Unset: it is the address of the connection. Set this behind a proxy; otherwise all clients have the proxy’s address, and wrong passwords of one client block the others.',
    }),
  ),
  PROBLEM_BASE: Type.Optional(
    Type.String({
      pattern: httpUrl,
      description: 'The beginning of the `type` of every problem. Unset: `PUBLIC_URL/problems`.',
    }),
  ),
  SECRET_KEY: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'Signs links in e-mails and other tokens, and encrypts the secrets of payment providers and webhook endpoints. The same in every process; 32 or more random characters. Unset: payment events and new webhook endpoints are refused (503). `npm start` creates one.',
    }),
  ),
  SECRET_KEY_PREVIOUS: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'The second key while `SECRET_KEY` is changed: it verifies and decrypts, but signs and encrypts nothing. See `docs/keys.md`.',
    }),
  ),
  QUEUES_ACCOUNT: Type.Optional(
    Type.String({
      description:
        'Slug of the account whose owners may open `/dashboard/queues`, which shows the jobs of all accounts. Unset: owners may open it while there is only one account.',
    }),
  ),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://[^\\s?#/]+/?(\\?tls=(required|none))?$',
      description:
        'Mail server, `smtp://user:password@host:port`. It must use TLS: `smtps://` from the first byte, `smtp://` by STARTTLS. A server on the same machine needs no TLS, nor does one with `?tls=none`. Unset: e-mails are .eml files under `DATA_DIR/outbox`.',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      pattern: '^[^\\s@<>(),;:"\\\\]+@[^\\s@<>(),;:"\\\\]+$',
      description:
        'Sender address of e-mails, with the account’s name before it. Required with `SMTP_URL`. Without `SMTP_URL`, the default is bookings@localhost.',
    }),
  ),
  WEBHOOK_PRIVATE_NETWORKS: Type.Optional(
    Type.String({
      description:
        'Private networks and addresses that webhooks may be sent to, separated by commas (`10.0.0.0/8, ::1`). `localhost` is often both `127.0.0.1` and `::1`. The metadata address of a cloud, which gives machines their credentials, needs an entry for exactly that address. Unset: public addresses only.',
    }),
  ),
  WEBHOOK_ALLOW_HTTP: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1,
    description:
      '1 allows webhooks to `http://` URLs too, which others on the network can read and change. 0 allows only `https://`.',
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
      'E-mails that were sent, dropped or have failed are deleted from the list after this many days; 0 keeps them.',
  }),
  EVENT_RETENTION_DAYS: Type.Integer({
    default: 90,
    minimum: 0,
    maximum: 36_500,
    description:
      'Events that are not about a booking are deleted from the log after this many days; 0 keeps them. Events of a booking stay as long as the booking. Of each product, the latest event stays, and the latest that added it to the shopfront or removed it. Events that a webhook endpoint has not received yet stay too, for 30 days if the endpoint is paused.',
  }),
  RATE_LIMIT_PER_SECOND: Type.Integer({
    default: 0,
    minimum: 0,
    description:
      'Requests per second that one key may make, averaged over five seconds; 0 is no limit. See [Limits](#limits).',
  }),
  REQUEST_TIMEOUT_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 300,
    description: 'The most seconds to receive a request, and the most to respond to it (503 after that).',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 300,
    description: 'The most seconds that a process waits for its running work after SIGTERM.',
  }),
  SHUTDOWN_DELAY_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 300,
    description:
      'For this many seconds after SIGTERM, a web process still accepts requests, while `/readyz` responds 503, so that the load balancer sends new requests to other processes. `SHUTDOWN_TIMEOUT_SECONDS` begins after that.',
  }),
  SCHEDULE_HORIZON_DAYS: Type.Integer({
    default: 400,
    minimum: 1,
    maximum: 1500,
    description: 'How many days ahead timeslots are created from schedules.',
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
