/** What a process tells Prometheus: its own registry, and the metrics that features set. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export type Metrics = {
  registry: Registry
  usageAudit: { differences: Gauge; finished: Gauge }
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  return {
    registry,
    usageAudit: {
      differences: gauge(
        'usage_audit_differences',
        'Totals that the last nightly audit of this worker found to differ from their entries.',
      ),
      finished: gauge(
        'usage_audit_finished_timestamp_seconds',
        'When this worker finished its last nightly audit; 0 when it has done none.',
      ),
    },
  }
}
