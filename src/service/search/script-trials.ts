/** Executes scripts without storing anything: `_scripts/painless/_execute`. */
import { illegalArgument } from '../../base/api-error.ts'
import { Double } from '../../base/json/json-writer.ts'
import { scriptFieldsOf } from '../../engine/mapping/runtime-field-types.ts'
import { PLAIN_BM25 } from '../../engine/mapping/similarities.ts'
import type { ContextName } from '../../engine/painless/index.ts'
import { scoreOfDocument } from '../../engine/scoring/explanation.ts'
import { compile } from '../../engine/scripts/compile-script.ts'
import { DocumentScript } from '../../engine/scripts/document-script.ts'
import { emittedValues } from '../../engine/scripts/emitted-values.ts'
import { withScripts } from '../../engine/scripts/script-environment.ts'
import { resultText } from '../../engine/scripts/script-results.ts'
import { planQuery } from '../../engine/search/plan-query.ts'
import { singleDocument } from '../../engine/search/single-document.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import { SINGLE_INDEX } from '../names/indices-options.ts'
import { clusterScripts } from '../scripts/script-environment.ts'
import { checkExecuteRequest, type ExecuteRequest } from './request/execute-request.ts'
import { shardQueryContext } from './shards/index-search-context.ts'

export class ScriptTrials {
  readonly #context: IndexContext

  constructor(context: IndexContext) {
    this.#context = context
  }

  /** The result of a script in wire form. */
  execute(request: ExecuteRequest): unknown {
    checkExecuteRequest(request)
    const { script, context, setup } = request
    return withScripts(clusterScripts(this.#context.store, setup?.index ?? ''), () => {
      if (context !== 'painless_test') return this.#onDocument(request)
      return resultText(compile(script, 'painless_test').newInstance({ params: script.params }).execute())
    })
  }

  #onDocument({ script, context, setup }: ExecuteRequest): unknown {
    const index = resolverOf(this.#context).singleIndex(setup!.index!, SINGLE_INDEX)
    const { mappings, clock } = this.#context
    const { segment, mapping, doc } = singleDocument(mappings.of(index), setup!.document!)
    const fields = scriptFieldsOf(mapping)
    const name = context as ContextName
    if (name !== 'filter' && name !== 'score') return emittedValues(script, name, fields, segment.reader, doc)
    const open = new DocumentScript(script, name, fields).open(segment.reader)
    if (name === 'filter') return open.run(doc)
    const view = { generation: 0, segments: [segment], liveRoots: 1 }
    // Elasticsearch searches the document with Lucene's defaults, whatever the similarities of the index.
    const similarity = () => PLAIN_BM25
    const search = { ...shardQueryContext(index, 0, view, mappings, clock.nowMs()), mapping, similarity }
    const weight = setup!.query && planQuery(search, setup!.query, true, 1)
    const score = weight && scoreOfDocument(weight, segment, doc)
    if (weight !== undefined && score === undefined) {
      throw illegalArgument('The provided query did not match the sample document')
    }
    return new Double(open.run(doc, score) as number)
  }
}
