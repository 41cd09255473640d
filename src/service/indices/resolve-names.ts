/** `_resolve/index`: the indices, aliases and data streams that an expression matches. */

import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import { type Alias, FAILURES } from '../metadata/metadata-state.ts'
import { EXPAND_OPEN, type IndicesParameters, withParameters } from '../names/indices-options.ts'
import { isHiddenIndex } from '../names/name-resolver.ts'

export function resolveNames(
  context: IndexContext,
  expressions: readonly string[],
  parameters: IndicesParameters,
): JsonObject {
  const { state } = context.store
  // `remote:logs` names nothing here.
  const local = expressions.filter((name) => !name.includes(':') || name.includes('::'))
  const options = withParameters(EXPAND_OPEN, parameters)
  const names = local.length === 0 ? new Set<string>() : resolverOf(context).names(local, options)
  const indices: JsonObject[] = []
  const aliases: JsonObject[] = []
  const streams: JsonObject[] = []
  for (const name of [...names].sort()) {
    const thing = state.named(name)!
    const ofFailures = name.endsWith(FAILURES)
    const shown = ofFailures ? name.slice(0, -FAILURES.length) : name
    if (thing.kind === 'alias')
      aliases.push({ name: shown, ...(ofFailures ? {} : { indices: namesBehind(thing.alias) }) })
    else if (thing.kind === 'dataStream') {
      const backing = thing.indices.map((index) => index.name)
      streams.push({ name: shown, backing_indices: backing, timestamp_field: '@timestamp' })
    } else {
      const { index, stream } = thing
      const behind = Object.keys(index.aliases).sort()
      indices.push({
        name,
        ...(behind.length === 0 ? {} : { aliases: behind }),
        attributes: [index.state === 'open' ? 'open' : 'closed', ...(isHiddenIndex(index) ? ['hidden'] : [])].sort(),
        ...(stream === undefined ? {} : { data_stream: stream.name }),
      })
    }
  }
  return { indices, aliases, data_streams: streams }
}

const namesBehind = ({ streams, indices }: Alias) => (streams.length > 0 ? streams : indices).map(({ name }) => name)
