/** Prometheus's text format: a `# HELP` and a `# TYPE` line per metric, then a line per sample. */

export type MetricType = 'counter' | 'gauge' | 'histogram'

export type Labels = Readonly<Record<string, string>>

export class Exposition {
  #text = ''

  /** Starts a metric; the following samples belong to it. */
  metric(name: string, type: MetricType, help: string): this {
    this.#text += `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
    return this
  }

  sample(name: string, labels: Labels, value: number): this {
    const written = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
    this.#text += `${name}${written.length === 0 ? '' : `{${written.join(',')}}`} ${formatValue(value)}\n`
    return this
  }

  /** A metric with one sample without labels. */
  single(name: string, type: MetricType, help: string, value: number): this {
    return this.metric(name, type, help).sample(name, {}, value)
  }

  toString(): string {
    return this.#text
  }
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function formatValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : String(value)
}
