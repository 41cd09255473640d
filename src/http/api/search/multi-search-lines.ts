/** The searches of an `_msearch` body, as the gate reads them before it: header and body lines in turn. */
import type { IndicesParameters } from '../../../service/names/indices-options.ts'
import { readLines, readNames } from './msearch.ts'

export interface MultiSearchLine {
  /** The header as it was sent. */
  readonly header: Readonly<Record<string, unknown>>
  /** Names of the header; undefined when those of the path apply. */
  readonly expressions: readonly string[] | undefined
  readonly parameters: IndicesParameters
  readonly body: Uint8Array
}

/** Throws what is wrong with the body as a whole. */
export function multiSearchLines(body: Buffer): MultiSearchLine[] {
  return [...readLines(body)].map(({ header, line }) => ({ header, ...readNames(header), body: line }))
}
