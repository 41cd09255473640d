/** StringBuilder and StringBuffer. */
import { indexOutOfBounds, outOfMemory, stringIndexOutOfBounds } from '../../errors/java-throwable.ts'
import { compareStrings } from '../equality.ts'
import { JArray, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString, STRING_MAX } from '../limits.ts'
import { primitiveMethod, registerConstructors } from '../registry.ts'
import { textOfCodePoint } from './characters.ts'
import { charStreams } from './strings.ts'

const onString = (key: string, text: string, ...args: unknown[]) =>
  primitiveMethod('java.lang.String', key)!(text, ...args)

export class JStringBuilder extends JObject {
  #text: string
  readonly #class: string

  constructor(text: string, name: string) {
    super()
    this.#text = text
    this.#class = name
  }

  get $class(): string {
    return this.#class
  }

  #set(text: string): this {
    if (text.length > STRING_MAX) throw outOfMemory('Required length exceeds implementation limit')
    this.#text = text
    return this
  }

  #check(index: number): void {
    if (index < 0 || index >= this.#text.length)
      throw stringIndexOutOfBounds(`index ${index}, length ${this.#text.length}`)
  }

  #range(start: number, end: number): void {
    if (start < 0 || start > end || end > this.#text.length)
      throw stringIndexOutOfBounds(`start ${start}, end ${end}, length ${this.#text.length}`)
  }

  append_1(value: unknown): this {
    const text =
      value instanceof JArray && value.type === 'char[]'
        ? String.fromCharCode(...(value.items as number[]))
        : textOf(value)
    checkString(text.length)
    return this.#set(this.#text + text)
  }

  append_3(value: unknown, start: number, end: number): this {
    const text = textOf(value)
    if (start < 0 || start > end || end > text.length)
      throw indexOutOfBounds(`start ${start}, end ${end}, length ${text.length}`)
    return this.append_1(text.slice(start, end))
  }

  appendCodePoint_1(code: number): this {
    return this.append_1(textOfCodePoint(code))
  }

  insert_2(at: number, value: unknown): this {
    if (at < 0 || at > this.#text.length) throw stringIndexOutOfBounds(`offset ${at}, length ${this.#text.length}`)
    const text = textOf(value)
    checkString(text.length)
    return this.#set(this.#text.slice(0, at) + text + this.#text.slice(at))
  }

  delete_2(start: number, end: number): this {
    const to = Math.min(end, this.#text.length)
    this.#range(start, to)
    return this.#set(this.#text.slice(0, start) + this.#text.slice(to))
  }

  deleteCharAt_1(index: number): this {
    if (index < 0 || index >= this.#text.length)
      throw stringIndexOutOfBounds(`index ${index}, length ${this.#text.length}`)
    return this.#set(this.#text.slice(0, index) + this.#text.slice(index + 1))
  }

  replace_3(start: number, end: number, by: string): this {
    const to = Math.min(end, this.#text.length)
    if (start < 0 || start > this.#text.length || start > to) this.#range(start, to)
    return this.#set(this.#text.slice(0, start) + by + this.#text.slice(to))
  }

  reverse_0(): this {
    return this.#set([...this.#text].reverse().join(''))
  }

  setCharAt_2(index: number, code: number): void {
    this.#check(index)
    this.#set(this.#text.slice(0, index) + String.fromCharCode(code) + this.#text.slice(index + 1))
  }

  setLength_1(length: number): void {
    if (length < 0) throw stringIndexOutOfBounds(`String index out of range: ${length}`)
    checkString(length)
    this.#set(this.#text.slice(0, length).padEnd(length, '\0'))
  }

  charAt_1(index: number): number {
    this.#check(index)
    return this.#text.charCodeAt(index)
  }

  length_0(): number {
    return this.#text.length
  }

  getChars_4(start: number, end: number, target: JArray, at: number): void {
    this.#range(start, end)
    if (at < 0 || at > target.items.length - (end - start))
      throw indexOutOfBounds(`offset ${at}, count ${end - start}, length ${target.items.length}`)
    for (let i = start; i < end; i++) target.items[at + i - start] = this.#text.charCodeAt(i)
  }

  offsetByCodePoints_2(index: number, count: number): number {
    return onString('offsetByCodePoints_2', this.#text, index, count)
  }

  indexOf_1(part: string): number {
    return this.#text.indexOf(part)
  }

  indexOf_2(part: string, from: number): number {
    return this.#text.indexOf(part, from)
  }

  lastIndexOf_1(part: string): number {
    return this.#text.lastIndexOf(part)
  }

  lastIndexOf_2(part: string, from: number): number {
    return from < 0 ? -1 : this.#text.lastIndexOf(part, from)
  }

  substring_1(start: number): string {
    return this.substring_2(start, this.#text.length)
  }

  subSequence_2(start: number, end: number): string {
    return this.substring_2(start, end)
  }

  chars_0(): JObject {
    return charStreams.ints(Array.from({ length: this.#text.length }, (_, i) => this.#text.charCodeAt(i)))
  }

  codePointAt_1(index: number): number {
    return onString('codePointAt_1', this.#text, index)
  }

  codePointBefore_1(index: number): number {
    return onString('codePointBefore_1', this.#text, index)
  }

  codePointCount_2(start: number, end: number): number {
    return onString('codePointCount_2', this.#text, start, end)
  }

  compareTo_1(other: JStringBuilder): number {
    return compareStrings(this.#text, other.#text)
  }

  replaceAll_2(pattern: unknown, map: unknown): unknown {
    return onString('replaceAll_2', this.#text, pattern, map)
  }

  replaceFirst_2(pattern: unknown, map: unknown): unknown {
    return onString('replaceFirst_2', this.#text, pattern, map)
  }

  substring_2(start: number, end: number): string {
    this.#range(start, end)
    return this.#text.slice(start, end)
  }

  override toString_0(): string {
    return this.#text
  }
}

for (const name of ['java.lang.StringBuilder', 'java.lang.StringBuffer'])
  registerConstructors(name, {
    0: () => new JStringBuilder('', name),
    1: (text: unknown) => new JStringBuilder(textOf(text), name),
  })
