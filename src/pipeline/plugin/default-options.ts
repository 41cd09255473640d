/** Options as a plugin gets them when another plugin uses it: what is given, and the defaults for the rest. */
import type { OptionTable, OptionValues } from './options.ts'

export function withDefaults<S extends OptionTable>(
  table: S,
  given: { readonly [name: string]: unknown },
): OptionValues<S> {
  const values = Object.entries(table).map(([name, spec]) => [name, given[name] ?? spec.default])
  return Object.fromEntries(values) as OptionValues<S>
}
