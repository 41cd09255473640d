/** A scratch buffer for one term in UTF-8. */
export class TermBytes {
  bytes = new Uint8Array(4096)
  length = 0

  /** Makes room for `more` additional bytes. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  /** Appends a code point. The caller has reserved four bytes. */
  append(codePoint: number): void {
    const { bytes } = this
    if (codePoint < 0x80) bytes[this.length++] = codePoint
    else if (codePoint < 0x800) {
      bytes[this.length++] = 0xc0 | (codePoint >> 6)
      bytes[this.length++] = 0x80 | (codePoint & 0x3f)
    } else if (codePoint < 0x10000) {
      bytes[this.length++] = 0xe0 | (codePoint >> 12)
      bytes[this.length++] = 0x80 | ((codePoint >> 6) & 0x3f)
      bytes[this.length++] = 0x80 | (codePoint & 0x3f)
    } else {
      bytes[this.length++] = 0xf0 | (codePoint >> 18)
      bytes[this.length++] = 0x80 | ((codePoint >> 12) & 0x3f)
      bytes[this.length++] = 0x80 | ((codePoint >> 6) & 0x3f)
      bytes[this.length++] = 0x80 | (codePoint & 0x3f)
    }
  }
}
