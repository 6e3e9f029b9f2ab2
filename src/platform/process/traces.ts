/** Switches tracing on as the configuration says. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { version } from '../project/version.ts'
import { openTracing } from '../tracing/tracing.ts'
import { createLogger } from './logging.ts'

/**
 * Switches tracing on if a receiver is configured. Call it before openServices(), so that stores and log lines
 * are traced.
 * @param processName `web` or `worker`.
 */
export async function openTraces(config: Config, processName: string): Promise<void> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return
  let log: Logger | undefined
  await openTracing({
    endpoint,
    headers: readHeaders(config.OTEL_EXPORTER_OTLP_HEADERS),
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    resource: {
      'service.name': config.OTEL_SERVICE_NAME,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'service.process': processName,
    },
    changed(isReachable) {
      if (isReachable) log?.info('the OTLP endpoint accepts spans again')
      else log?.warn('the OTLP endpoint does not accept spans; spans are dropped')
    },
  })
  log = createLogger(config.LOG_LEVEL, processName)
}

/** Headers as OpenTelemetry writes them: `name=value`, with URL-encoded values and commas between. */
function readHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim().split(/=(.*)/s))
  return Object.fromEntries(pairs.flatMap(([name, value]) => (name && value ? [[name, decode(value)]] : [])))
}

/** Decodes a URL-encoded value. Returns other text unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
