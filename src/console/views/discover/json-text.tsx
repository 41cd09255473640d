/** A JSON value with syntax colours and without an editor, for a drawer. */
import type { ComponentChildren } from 'preact'
import { ExactNumber, isObject, type Json } from '../../api/lossless-json.ts'
import { visible } from '../../documents/marks.ts'

export function JsonText({ value }: { readonly value: Json }) {
  return <pre class="jsontext">{write(value, 0)}</pre>
}

function write(value: Json, depth: number): ComponentChildren {
  if (typeof value === 'string') return <span class="s">{visible(JSON.stringify(value))}</span>
  if (typeof value === 'number' || value instanceof ExactNumber) return <span class="d">{String(value)}</span>
  if (value === null || typeof value === 'boolean') return <span class="a">{String(value)}</span>
  const pad = '  '.repeat(depth + 1)
  const end = '  '.repeat(depth)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return [
      '[\n',
      ...value.flatMap((item, i) => [pad, write(item, depth + 1), i < value.length - 1 ? ',\n' : '\n']),
      `${end}]`,
    ]
  }
  if (!isObject(value)) return ''
  const members = Object.entries(value)
  if (members.length === 0) return '{}'
  return [
    '{\n',
    ...members.flatMap(([name, item], i) => [
      pad,
      <span class="k" key={name}>
        {visible(JSON.stringify(name))}
      </span>,
      ': ',
      write(item, depth + 1),
      i < members.length - 1 ? ',\n' : '\n',
    ]),
    `${end}}`,
  ]
}
