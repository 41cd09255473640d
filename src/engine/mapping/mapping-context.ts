/** What a mapping needs from its index: analyzers, similarities and limits. */
import type { IndexAnalyzer } from '../document/field-schema.ts'
import type { Similarities } from './similarities.ts'

/** The part of an analyzer the mapping uses. */
export interface MappingAnalyzer {
  readonly index: IndexAnalyzer
  /** Set by the analyzer's own settings; the field's `position_increment_gap` takes precedence. */
  readonly positionIncrementGap?: number | undefined
  tokens(text: string): readonly unknown[]
}

export interface MappingNormalizer {
  normalize(text: string): string
}

/** The analyzers and normalizers of one index; undefined if there is none of that name. */
export interface AnalysisLookup {
  analyzer(name: string): MappingAnalyzer | undefined
  normalizer(name: string): MappingNormalizer | undefined
}

/** `index.mapping.*` of one index. */
export interface MappingLimits {
  readonly totalFields: number
  readonly depth: number
  readonly nestedFields: number
  readonly nestedObjects: number
  readonly fieldNameLength: number
  readonly coerce: boolean
  readonly ignoreMalformed: boolean
  readonly ignoreAbove: number
  /** `index.mapping.total_fields.ignore_dynamic_beyond_limit` */
  readonly ignoreDynamicBeyondLimit: boolean
  /** `index.mapping.source.mode` is `disabled`; it overrides the mapping. */
  readonly sourceDisabled?: boolean
}

export interface MappingContext {
  readonly analysis: AnalysisLookup
  readonly limits: MappingLimits
  /** The built-in ones when absent. */
  readonly similarities?: Similarities
}

const DEFAULT_LIMITS: MappingLimits = {
  totalFields: 1000,
  depth: 20,
  nestedFields: 50,
  nestedObjects: 10000,
  fieldNameLength: Number.POSITIVE_INFINITY,
  coerce: true,
  ignoreMalformed: false,
  ignoreAbove: 0x7fffffff,
  ignoreDynamicBeyondLimit: false,
}

/**
 * Reads the limits from the flat settings of an index (`index.mapping.depth.limit` to `20`); absent ones are the
 * defaults.
 */
export function mappingLimits(settings: Readonly<Record<string, string>>): MappingLimits {
  const number = (name: string, otherwise: number) => {
    const text = settings[`index.mapping.${name}`]
    return text === undefined ? otherwise : Number(text)
  }
  const flag = (name: string, otherwise: boolean) => {
    const text = settings[`index.mapping.${name}`]
    return text === undefined ? otherwise : text === 'true'
  }
  const d = DEFAULT_LIMITS
  return {
    totalFields: number('total_fields.limit', d.totalFields),
    depth: number('depth.limit', d.depth),
    nestedFields: number('nested_fields.limit', d.nestedFields),
    nestedObjects: number('nested_objects.limit', d.nestedObjects),
    fieldNameLength: number('field_name_length.limit', d.fieldNameLength),
    coerce: flag('coerce', d.coerce),
    ignoreMalformed: flag('ignore_malformed', d.ignoreMalformed),
    ignoreAbove: number('ignore_above', d.ignoreAbove),
    sourceDisabled: settings['index.mapping.source.mode']?.toLowerCase() === 'disabled',
    ignoreDynamicBeyondLimit: flag('total_fields.ignore_dynamic_beyond_limit', d.ignoreDynamicBeyondLimit),
  }
}
