/** Reads the metrics of a process. */
import type { Registry } from 'prom-client'
import { until } from './until.ts'

export type Sample = { name: string; labels: Record<string, string>; value: number }

/** Every sample of a scrape, in the text format of Prometheus. */
export function readScrape(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, inner = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (!name) return []
    const labels = Object.fromEntries(
      [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]),
    )
    return [{ name, labels, value: Number(value) }]
  })
}

export async function scrape({ registry }: { registry: Registry }): Promise<Sample[]> {
  return readScrape(await registry.metrics())
}

/** Scrapes again until both stores have responded in time, which may take a while on a busy machine. */
export async function scrapeWhole(metrics: { registry: Registry }): Promise<Sample[]> {
  let samples: Sample[] = []
  await until(async () => {
    samples = await scrape(metrics)
    return sumOf(samples, 'store_up') === 2
  })
  return samples
}

/** The sum of the samples with this name and these labels; undefined when there are none. */
export function sumOf(samples: Sample[], name: string, labels: Record<string, string> = {}) {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  )
  return found.length > 0 ? found.reduce((sum, { value }) => sum + value, 0) : undefined
}

/** The names of all metrics, including those that Prometheus derives from histograms. */
export function listNames(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, ...['bucket', 'count', 'sum'].map((part) => `${name}_${part}`)] : [name],
  )
}
