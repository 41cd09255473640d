/** Metadata fields inside a document: only `_doc_count` is allowed; the others belong in the request. */
import { type ApiError, illegalArgument, parsingException } from '../../../base/api-error.ts'
import { documentParsing } from '../../../base/errors/mapping-errors.ts'
import { DECIMAL, INTEGER, type JsonReader } from '../../../base/json/json-reader.ts'
import { tokenName } from '../../../base/json/token-names.ts'
import { fieldProblem } from '../documents/document-failure.ts'
import { type DocumentPlaces, valuePreview } from '../documents/document-place.ts'

/** Reads the member at the current token: the number of documents that this one represents. All others are rejected. */
export function readMetadataMember(name: string, reader: JsonReader, places: DocumentPlaces, id: string): number {
  const cause = name === '_doc_count' ? docCountProblem(reader, places) : notInDocuments(name, reader, places)
  if (cause === undefined) return reader.number()
  const preview = valuePreview(reader)
  throw documentParsing(places.ofToken(reader), fieldProblem(id, name, name, preview), cause)
}

const notInDocuments = (name: string, reader: JsonReader, places: DocumentPlaces) =>
  documentParsing(
    places.ofToken(reader),
    `Field [${name}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`,
  )

function docCountProblem(reader: JsonReader, places: DocumentPlaces): ApiError | undefined {
  if (reader.token !== INTEGER && reader.token !== DECIMAL) {
    const reason = `Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${tokenName(reader.token)}]`
    return parsingException(reason, { details: places.details(reader) })
  }
  const count = reader.number()
  if (!Number.isInteger(count)) return illegalArgument(`${count} cannot be converted to Integer without data loss`)
  if (count > INTEGER_MAX) {
    const reason = `Numeric value (${count}) out of range of int (-2147483648 - 2147483647)`
    return places.jsonError('input_coercion_exception', reason, reader.end)
  }
  if (count > 0) return undefined
  return illegalArgument(`Field [_doc_count] must be a positive integer. Value [${count}] is not allowed.`)
}

const INTEGER_MAX = 2 ** 31 - 1
