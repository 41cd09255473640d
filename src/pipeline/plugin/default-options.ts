/** The options of a plugin that is used by another plugin: the given values, and defaults for the rest. */
import type { OptionTable, OptionValues } from './options.ts'

export function withDefaults<S extends OptionTable>(
  table: S,
  given: { readonly [name: string]: unknown },
): OptionValues<S> {
  const values = Object.entries(table).map(([name, spec]) => [name, given[name] ?? spec.default])
  return Object.fromEntries(values) as OptionValues<S>
}
