/** Computes the `script_fields` of hits. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { scriptFieldsOf } from '../../mapping/runtime-field-types.ts'
import type { ScriptField } from '../../request/script-fields.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import { DocumentScript, type OpenScript } from '../../scripts/document-script.ts'
import { scriptFieldValues } from '../../scripts/script-results.ts'
import type { SegmentReader, SegmentView } from '../../segment/segment-reader-api.ts'

export class ScriptFieldFetcher {
  readonly #fields: readonly { readonly field: ScriptField; readonly script: DocumentScript }[]
  /** Hits of one segment are often adjacent. */
  readonly #open = new Map<DocumentScript, { readonly reader: SegmentReader; readonly script: OpenScript }>()

  /** Throws script errors. */
  constructor(context: SearchExecutionContext, fields: readonly ScriptField[]) {
    const { maxScriptFields } = context.limits
    if (fields.length > maxScriptFields) {
      throw illegalArgument(
        `Trying to retrieve too many script_fields. Must be less than or equal to: [${maxScriptFields}] but was ` +
          `[${fields.length}]. This limit can be set by changing the [index.max_script_fields] index level setting.`,
      )
    }
    const known = scriptFieldsOf(context.mapping)
    this.#fields = fields.map((field) => ({ field, script: new DocumentScript(field.script, 'field', known) }))
  }

  fetch({ reader }: SegmentView, doc: number, into: Record<string, unknown[]>): void {
    for (const [number, { field, script }] of this.#fields.entries()) {
      try {
        const values = scriptFieldValues(this.#opened(script, reader).run(doc), number)
        if (values.length > 0) into[field.name] = values
      } catch (error) {
        if (!(error instanceof ApiError) || !field.ignoreFailure) throw error
      }
    }
  }

  #opened(script: DocumentScript, reader: SegmentReader): OpenScript {
    const known = this.#open.get(script)
    if (known?.reader === reader) return known.script
    const open = script.open(reader)
    this.#open.set(script, { reader, script: open })
    return open
  }
}
