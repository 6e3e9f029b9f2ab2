/** Spans of batches, which serve items of several traces. */
import { inSpan, isTracing, type TracedSpan } from './tracing.ts'

/** A span has this many links at most (the limit of OpenTelemetry). */
const maxLinks = 128

/**
 * Runs `work` in a span. The span belongs to the trace of the first sampled item, or else of the first traced item.
 * It has links to the spans of the sampled items, at most 128, and the span of each sampled item has a link
 * to it.
 * @param name without one, the batch is not traced.
 * @param callers returns the spans of the items, null where an item has none.
 */
export function inBatchSpan<T>(
  name: string | undefined,
  callers: () => readonly (TracedSpan | null)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!isTracing() || name === undefined) return work()
  const spans = callers()
  const served = [...new Set(spans)].filter((span) => span !== null)
  const sampled = served.filter(({ isSampled }) => isSampled)
  const parent = sampled[0] ?? served[0]
  const options = {
    attributes: { 'batch.name': name, 'batch.items': spans.length },
    ...(parent && { parent: parent.context }),
    links: sampled.slice(0, maxLinks).map(({ context }) => context),
  }
  return inSpan(`batch ${name}`, options, (batch) => {
    if (batch?.isSampled) for (const span of sampled) span.link(batch.context)
    return work()
  })
}
