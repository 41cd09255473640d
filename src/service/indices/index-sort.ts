/** `index.sort.*`: the document order within segments. The fields must exist and have one value per document. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import type { Mapping } from '../../engine/mapping/mapping-api.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import { listOf } from '../settings/flat-settings.ts'

export function checkIndexSort(settings: FlatSettings, mapping: Mapping): void {
  for (const field of listOf(settings['index.sort.field'])) checkSortField(field, mapping)
}

/** The settings of an index sort have as many values as there are fields. Checked before the mapping is read. */
export function checkSortSettings(settings: FlatSettings): void {
  const fields = listOf(settings['index.sort.field'])
  for (const part of ['order', 'mode', 'missing']) {
    const values = listOf(settings[`index.sort.${part}`])
    if (values.length > 0 && values.length !== fields.length) {
      throw illegalArgument(
        `index.sort.field:[${fields.join(', ')}] index.sort.${part}:[${values.join(', ')}], size mismatch`,
      )
    }
  }
}

/** Shapes whose doc values have an order. */
const SORTABLE = new Set(['term', 'number', 'long'])

function checkSortField(name: string, mapping: Mapping): void {
  const type = mapping.field(name)
  if (type === undefined) throw illegalArgument(`unknown index sort field:[${name}]`)
  if (type.name !== name) throw illegalArgument(`Cannot use alias [${name}] as an index sort field`)
  if (type.nestedPath !== undefined) {
    throw illegalArgument(`cannot apply index sort to field [${name}] under nested object [${type.nestedPath}]`)
  }
  if (type.shape === 'text') {
    throw illegalArgument(
      `docvalues not found for index sort field:[${name}]`,
      illegalArgument(
        `Fielddata is disabled on [${name}] in []. Text fields are not optimised for operations that require per-document ` +
          'field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword ' +
          `field instead. Alternatively, set fielddata=true on [${name}] in order to load field data by uninverting the ` +
          'inverted index. Note that this can use significant memory.',
      ),
    )
  }
  if (type.isRuntime) {
    throw illegalArgument(
      `docvalues not found for index sort field:[${name}]`,
      new ApiError(400, 'unsupported_operation_exception', 'Runtime fields not supported for [index sort]'),
    )
  }
  if (!type.hasDocValues) {
    throw illegalArgument(
      `docvalues not found for index sort field:[${name}]`,
      illegalArgument(
        `Can't load fielddata on [${name}] because fielddata is unsupported on fields of type [${type.type}]. Use doc ` +
          'values instead.',
      ),
    )
  }
  if (type.shape === 'geo') {
    throw illegalArgument(
      "can't sort on geo_point or point field without using specific sorting feature, like geo_distance",
    )
  }
  // Lucene cannot sort an index by half floats.
  if (!SORTABLE.has(type.shape) || type.traits.number?.bytes === 2) {
    throw illegalArgument(`invalid index sort field:[${name}]`)
  }
}
