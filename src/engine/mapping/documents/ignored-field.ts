/** `_ignored` as a field: the names of fields whose values in a document are not indexed. */
import { illegalArgument } from '../../../base/api-error.ts'
import { javaText } from '../../values/java-text.ts'
import type { FieldType, RangeValues } from '../field-type.ts'

export const IGNORED_FIELD_TYPE: FieldType = {
  name: '_ignored',
  type: '_ignored',
  traits: { family: 'keyword' },
  shape: 'term',
  // Its terms and doc values have the field's own name in every index.
  schema: undefined,
  indexed: true,
  hasDocValues: true,
  stored: false,
  searchable: true,
  aggregatable: true,
  isRuntime: false,
  meta: undefined,
  nestedPath: undefined,
  sourcePath: '_ignored',
  copiedFrom: [],
  analyzerName: undefined,
  searchAnalyzerName: undefined,
  searchQuoteAnalyzerName: undefined,
  termValue: (value) => Buffer.from(javaText(value)),
  rangeValues(): RangeValues {
    throw illegalArgument('Field [_ignored] of type [_ignored] does not support range queries')
  },
  formatDocValue: (value) => Buffer.from(value as Uint8Array).toString(),
  formatSourceValue: (value) => value,
}
