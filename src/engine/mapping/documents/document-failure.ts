/** The error of a document that does not fit: the cause, with the field, its position and a preview of the value. */
import { ApiError } from '../../../base/api-error.ts'
import { documentSyntaxError, jsonSyntaxError } from '../../../base/errors/json-errors.ts'
import { documentParsing, ExtraDataError, illegalState, objectAsNumber } from '../../../base/errors/mapping-errors.ts'
import { DECIMAL, type JsonReader } from '../../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../../base/json/json-syntax-error.ts'
import { type DocumentPlaces, valuePreview } from './document-place.ts'
import { type FieldPlan, OP_DECIMAL, OP_VALUE } from './field-plan.ts'

/** The state of the parser at the failure. */
export interface FailureSite {
  readonly id: string
  readonly reader: JsonReader
  readonly places: DocumentPlaces
  /** The current field. */
  readonly field: FieldPlan | undefined
  /** The field whose value was being read last, for a body that ends inside it. */
  readonly lastField: FieldPlan | undefined
}

/** Errors that are already complete. */
const FINISHED = new Set(['document_parsing_exception', 'strict_dynamic_mapping_exception'])

export function fieldProblem(id: string, path: string, type: string, preview: string): string {
  return `failed to parse field [${path}] of type [${type}] in document with id '${id}'. Preview of field's value: '${preview}'`
}

/** The error response for anything thrown while a document was parsed. */
export function explainFailure(error: unknown, site: FailureSite): unknown {
  if (error instanceof JsonSyntaxError) return syntaxFailure(error, site)
  if (!(error instanceof ApiError) || error instanceof ExtraDataError) return error
  const { reader, places, field } = site
  if (FINISHED.has(error.type) && field?.op !== OP_VALUE) return error
  if (field === undefined || field.errorForm === 'bare') {
    return documentParsing(places.ofToken(reader), `failed to parse: ${error.message}`, error)
  }
  try {
    // Reading the preview advances to the end of the value, which is where Elasticsearch places its error.
    const preview = fieldPreview(field, reader)
    return documentParsing(places.ofToken(reader), fieldProblem(site.id, field.path, field.type, preview), error)
  } catch (inner) {
    if (inner instanceof JsonSyntaxError) return syntaxFailure(inner, site)
    throw inner
  }
}

function fieldPreview(field: FieldPlan, reader: JsonReader): string {
  if (field.op === OP_DECIMAL && field.bits < 64 && reader.token === DECIMAL) {
    const single = Math.fround(reader.number())
    if (!Number.isFinite(single)) return single > 0 ? 'Infinity' : '-Infinity'
  }
  return valuePreview(reader)
}

/** The reader only detects the error; the diagnosis uses the original bytes. */
function syntaxFailure(noticed: JsonSyntaxError, { id, places, lastField }: FailureSite): ApiError {
  const error = places.diagnosis() ?? noticed
  if (error.atEnd && error.message.includes('in VALUE_STRING') && lastField !== undefined) {
    const place = `[${error.token.line}:${error.token.column}]`
    return documentParsing(place, fieldProblem(id, lastField.path, lastField.type, ''), jsonSyntaxError(error))
  }
  return documentSyntaxError(error)
}

/** The error for a field that gets an object through a dotted name. */
export function objectForField(field: FieldPlan, place: string): ApiError {
  const isNumber = field.low !== field.high || field.op === OP_DECIMAL
  if (isNumber) return objectAsNumber()
  return illegalState(`Can't get text on a START_OBJECT at ${place}`)
}
