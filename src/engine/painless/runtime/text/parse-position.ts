/** ParsePosition, and what all formats of java.text share. */
import { throwable } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import { registerConstructors } from '../registry.ts'

export class ParsePosition extends JObject {
  index: number
  errorIndex = -1

  constructor(index: number) {
    super()
    this.index = index
  }

  get $class(): string {
    return 'java.text.ParsePosition'
  }

  getIndex_0(): number {
    return this.index
  }

  setIndex_1(index: number): void {
    this.index = index
  }

  getErrorIndex_0(): number {
    return this.errorIndex
  }

  setErrorIndex_1(index: number): void {
    this.errorIndex = index
  }

  override equals_1(other: unknown): boolean {
    return other instanceof ParsePosition && other.index === this.index && other.errorIndex === this.errorIndex
  }

  override hashCode_0(): number {
    return (this.errorIndex << 16) | this.index
  }

  override toString_0(): string {
    return `${this.$class}[index=${this.index},errorIndex=${this.errorIndex}]`
  }
}

export const parseFailure = (message: string) => throwable('java.text.ParseException', message)

export abstract class Format extends JObject {
  abstract format_1(value: unknown): string
  /** null, and the place of the error in the position, if the text cannot be parsed. */
  abstract parse_2(text: string, position: ParsePosition): unknown
  abstract clone_0(): Format

  parseObject_2(text: string, position: ParsePosition): unknown {
    return this.parse_2(text, position)
  }

  parseObject_1(text: string): unknown {
    return this.parseAll(text, 'Format.parseObject(String) failed')
  }

  protected parseAll(text: string, failure: string): unknown {
    const position = new ParsePosition(0)
    const parsed = this.parse_2(text, position)
    if (position.index === 0) throw parseFailure(failure)
    return parsed
  }
}

registerConstructors('java.text.ParsePosition', { 1: (index: number) => new ParsePosition(index) })
registerConstructors('java.text.ParseException', { 2: (message: string, _offset: number) => parseFailure(message) })
