// JSON that keeps 64-bit integers exact: whole numbers outside the safe range
// become BigInt when read and are written back digit by digit.

export function stringify(value) {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map((v) => stringify(v === undefined ? null : v)).join(',')}]`
  if (value && typeof value === 'object') {
    const parts = []
    for (const [k, v] of Object.entries(value)) {
      if (v !== undefined) parts.push(`${JSON.stringify(k)}:${stringify(v)}`)
    }
    return `{${parts.join(',')}}`
  }
  return JSON.stringify(value)
}

const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const SPACE = /[ \t\r\n]*/y

export function parse(text) {
  let at = 0
  const fail = () => {
    throw new SyntaxError(`not JSON at offset ${at}`)
  }
  const skip = () => {
    SPACE.lastIndex = at
    SPACE.test(text)
    at = SPACE.lastIndex
  }
  const take = (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) fail()
    at = pattern.lastIndex
    return found[0]
  }
  const word = (literal, value) => {
    if (!text.startsWith(literal, at)) fail()
    at += literal.length
    return value
  }
  const value = () => {
    skip()
    const c = text[at]
    if (c === '{') {
      const out = {}
      at++
      skip()
      if (text[at] === '}') {
        at++
        return out
      }
      for (;;) {
        skip()
        const key = JSON.parse(take(STRING))
        skip()
        if (text[at++] !== ':') fail()
        const member = value()
        // A plain assignment to "__proto__" would set the prototype instead.
        Object.defineProperty(out, key, { value: member, enumerable: true, writable: true, configurable: true })
        skip()
        const end = text[at++]
        if (end === '}') return out
        if (end !== ',') fail()
      }
    }
    if (c === '[') {
      const out = []
      at++
      skip()
      if (text[at] === ']') {
        at++
        return out
      }
      for (;;) {
        out.push(value())
        skip()
        const end = text[at++]
        if (end === ']') return out
        if (end !== ',') fail()
      }
    }
    if (c === '"') return JSON.parse(take(STRING))
    if (c === 't') return word('true', true)
    if (c === 'f') return word('false', false)
    if (c === 'n') return word('null', null)
    const raw = take(NUMBER)
    const number = Number(raw)
    if (!/[.eE]/.test(raw) && !Number.isSafeInteger(number)) return BigInt(raw)
    return number
  }
  const result = value()
  skip()
  if (at !== text.length) fail()
  return result
}

export function clone(value) {
  if (Array.isArray(value)) return value.map(clone)
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, clone(v)]))
  }
  return value
}
