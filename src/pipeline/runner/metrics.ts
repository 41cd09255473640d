/** What a pipeline counts about itself, in the words of the monitoring API. */

export class PipelineMetrics {
  /** Events taken from inputs, through the filters, and written by outputs. */
  in = 0
  filtered = 0
  out = 0
  /** Time batches spent in filters and outputs. */
  durationMs = 0
  readonly inputs: { readonly id: string; readonly name: string; out: number }[] = []
  readonly outputs: { readonly id: string; readonly name: string }[] = []
  readonly filters: { readonly id: string; readonly name: string }[] = []

  events() {
    return {
      in: this.in,
      filtered: this.filtered,
      out: this.out,
      duration_in_millis: Math.round(this.durationMs),
      queue_push_duration_in_millis: 0,
    }
  }

  plugins() {
    return {
      inputs: this.inputs.map(({ id, name, out }) => ({ id, name, events: { out, queue_push_duration_in_millis: 0 } })),
      codecs: [],
      filters: this.filters.map(({ id, name }) => ({ id, name })),
      outputs: this.outputs.map(({ id, name }) => ({ id, name })),
    }
  }
}
