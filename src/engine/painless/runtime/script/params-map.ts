/** `params` of scripts that run per document: `params._source` is the source of the current document. */
import type { ScriptBindings } from '../../contract.ts'
import { toJava } from '../../host/host-values.ts'
import { JEntry, type JMap, JReadOnlyMap } from '../collections/map.ts'

export class ParamsMap extends JReadOnlyMap {
  readonly #bindings: ScriptBindings
  #source: JEntry | undefined
  #document = 0

  constructor(params: JMap, bindings: ScriptBindings) {
    super(params)
    this.#bindings = bindings
  }

  moveTo(document: number): void {
    this.#source = undefined
    this.#document = document
  }

  override entry(key: unknown): JEntry | undefined {
    if (key !== '_source' || this.#bindings.source === undefined) return super.entry(key)
    this.#source ??= new JEntry('_source', toJava(this.#bindings.source(this.#document), true))
    return this.#source
  }

  override get_1(key: unknown): unknown {
    return this.entry(key)?.value ?? null
  }
}
