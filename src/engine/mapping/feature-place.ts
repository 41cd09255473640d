/** Where the number is that a `rank_feature` query names: a field of its own, or a feature of `rank_features`. */
import { illegalArgument } from '../../base/api-error.ts'
import type { FieldType } from './field-type.ts'
import type { Mapping } from './mapping-api.ts'
import { storageName } from './storage-name.ts'

export interface RankFeaturePlace {
  readonly field: string
  readonly feature: string
  readonly shownField: string
  /** Whether larger numbers raise scores. */
  readonly raises: boolean
}

/** Undefined for a field that is not mapped. */
export function rankFeaturePlace(mapping: Mapping, name: string): RankFeaturePlace | undefined {
  const field = mapping.field(name)
  if (field?.ranksBy?.single !== undefined) {
    const { single, raises } = field.ranksBy
    return { field: storageName(field), feature: field.name, shownField: single, raises }
  }
  if (field !== undefined) throw noFeature(field)
  const dot = name.lastIndexOf('.')
  const parent = dot < 0 ? undefined : mapping.field(name.slice(0, dot))
  if (parent?.ranksBy === undefined || parent.ranksBy.single !== undefined) return undefined
  return { field: storageName(parent), feature: name.slice(dot + 1), shownField: parent.name, raises: true }
}

const noFeature = ({ type }: FieldType) =>
  illegalArgument(
    `[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [${type}]`,
  )
