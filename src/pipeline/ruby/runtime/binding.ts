/** `binding`: access to the local variables around a piece of code. It cannot evaluate text. */
import type { Scope } from '../compile/scope.ts'
import type { Frame } from './frame.ts'
import { RBasic, type Value } from './model.ts'

export class RBinding extends RBasic {
  readonly #scope: Scope
  readonly #frame: Frame

  constructor(scope: Scope, frame: Frame) {
    super()
    this.#scope = scope
    this.#frame = frame
  }

  get(name: string): Value | undefined {
    const place = this.#scope.find(name)
    return place === undefined ? undefined : this.#frameAt(place.depth).vars[place.index]
  }

  set(name: string, value: Value): boolean {
    const place = this.#scope.find(name)
    if (place === undefined) return false
    this.#frameAt(place.depth).vars[place.index] = value
    return true
  }

  get names(): string[] {
    return [...this.#scope.names.keys()]
  }

  get self(): Value {
    return this.#frame.self
  }

  #frameAt(depth: number): Frame {
    let frame = this.#frame
    for (let i = 0; i < depth; i++) frame = frame.outer!
    return frame
  }
}
