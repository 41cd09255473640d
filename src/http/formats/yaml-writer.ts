/**
 * Converts JSON to YAML in Elasticsearch's layout: quoted strings, and lists at the indentation of their key.
 *
 *   ---
 *   hits:
 *     total: 1
 *     hits:
 *     - _id: "1"
 */
import { END_ARRAY, END_OBJECT, JsonReader, START_ARRAY, START_OBJECT, STRING } from '../../base/json/json-reader.ts'

/** Writes JSON text as one YAML document. The bytes may be changed by parsing. */
export function jsonToYaml(json: Uint8Array): string {
  const reader = new JsonReader().reset(json)
  reader.next()
  return `---${root(reader)}\n`
}

function root(reader: JsonReader): string {
  if (reader.token === START_OBJECT) {
    const text = members(reader, '')
    return text === '' ? ' {}' : `\n${text.slice(0, -1)}`
  }
  if (reader.token === START_ARRAY) {
    const text = elements(reader, '')
    return text === '' ? ' []' : `\n${text.slice(0, -1)}`
  }
  return ` ${scalar(reader)}`
}

function members(reader: JsonReader, indent: string): string {
  let text = ''
  while (reader.next() !== END_OBJECT) {
    const name = reader.text()
    reader.next()
    text += `${indent}${PLAIN_NAME.test(name) ? name : JSON.stringify(name)}:${value(reader, indent)}`
  }
  return text
}

function elements(reader: JsonReader, indent: string): string {
  let text = ''
  while (reader.next() !== END_ARRAY) {
    if (reader.token === START_OBJECT) {
      const inner = members(reader, `${indent}  `)
      text += inner === '' ? `${indent}- {}\n` : `${indent}- ${inner.slice(indent.length + 2)}`
    } else if (reader.token === START_ARRAY) {
      const inner = elements(reader, `${indent}  `)
      text += inner === '' ? `${indent}- []\n` : `${indent}- ${inner.slice(indent.length + 2)}`
    } else text += `${indent}- ${scalar(reader)}\n`
  }
  return text
}

function value(reader: JsonReader, indent: string): string {
  if (reader.token === START_OBJECT) {
    const inner = members(reader, `${indent}  `)
    return inner === '' ? ' {}\n' : `\n${inner}`
  }
  if (reader.token === START_ARRAY) {
    const inner = elements(reader, indent)
    return inner === '' ? ' []\n' : `\n${inner}`
  }
  return ` ${scalar(reader)}\n`
}

function scalar(reader: JsonReader): string {
  return reader.token === STRING ? JSON.stringify(reader.text()) : reader.text()
}

/** Names that YAML reads as strings without quotes. */
const PLAIN_NAME = /^(?!(?:y|n|yes|no|true|false|on|off|null)$)[A-Za-z_](?:[\w.\-/$ ]*[\w.\-/$])?$/i
