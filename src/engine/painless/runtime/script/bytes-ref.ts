/** org.apache.lucene.util.BytesRef. */
import { JObject } from '../java-object.ts'

export class BytesRef extends JObject {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    super()
    this.bytes = bytes
  }

  get $class(): string {
    return 'org.apache.lucene.util.BytesRef'
  }

  utf8ToString_0(): string {
    return new TextDecoder().decode(this.bytes)
  }

  bytesEquals_1(other: BytesRef): boolean {
    return this.equals_1(other)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof BytesRef && Buffer.compare(this.bytes, other.bytes) === 0
  }

  /** Bytes in hexadecimal between brackets. */
  override toString_0(): string {
    return `[${[...this.bytes].map((byte) => byte.toString(16)).join(' ')}]`
  }

  toJsonValue(): string {
    return Buffer.from(this.bytes).toString('base64')
  }
}
