/** Selects the kind of source from the settings and the field's mapping. */
import { illegalArgument } from '../../../../base/api-error.ts'
import type { SearchExecutionContext } from '../../../scoring/query.ts'
import { bindSource, type SourceType } from '../../values/value-source.ts'
import type { BoundSource } from '../bound-source.ts'
import type { CompositeSource, SourceKind } from '../source-settings.ts'
import { dateSource, histogramSource } from './interval-source.ts'
import { numberSource } from './number-source.ts'
import { isInexact, rankSource } from './rank-source.ts'
import { constantSource, termSource } from './term-source.ts'
import { tileSource } from './tile-source.ts'

const SUPPORTED: Readonly<Record<SourceKind, readonly SourceType[]>> = {
  terms: ['keyword', 'ip', 'number', 'date', 'boolean'],
  histogram: ['number', 'date'],
  date_histogram: ['date', 'number'],
  geotile_grid: ['geo'],
}
const FALLBACK: Readonly<Record<SourceKind, SourceType>> = {
  terms: 'keyword',
  histogram: 'number',
  date_histogram: 'date',
  geotile_grid: 'geo',
}

export function bindCompositeSource(shard: SearchExecutionContext, settings: CompositeSource): BoundSource {
  if (settings.missingOrder !== 'default' && !settings.missingBucket) {
    throw illegalArgument('missingOrder can only be set if missingBucket is true')
  }
  if (settings.source.field === undefined && settings.source.script === undefined) {
    throw illegalArgument('Required one of fields [field, script], but none were specified.')
  }
  const { kind } = settings
  const source = bindSource(shard, settings.source, kind, SUPPORTED[kind], FALLBACK[kind])
  switch (kind) {
    case 'terms':
      if (source.field === undefined && source.missing !== undefined) return constantSource(settings, source)
      if (source.type === 'keyword' || source.type === 'ip') return termSource(shard, settings, source)
      return isInexact(shard, source) ? rankSource(shard, settings, source) : numberSource(settings, source)
    case 'histogram':
      return histogramSource(shard, settings, source)
    case 'date_histogram':
      return dateSource(settings, source)
    case 'geotile_grid':
      return tileSource(shard, settings, source)
  }
}
