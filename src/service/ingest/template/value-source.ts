/** Values that processors write. Every document gets its own copy with rendered templates. */
import { JArrayList, JHashMap } from '../../../engine/painless/index.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import type { ConfigReader } from '../pipeline/config-reader.ts'
import { isObject } from '../pipeline/config-reader.ts'
import { javaOf } from '../pipeline/java-config.ts'
import { type CompiledText, compileText } from './compiled-text.ts'

export type ValueSource = (document: IngestDocument) => unknown

export function valueSource(value: unknown, reader: ConfigReader, property: string, mediaType?: string): ValueSource {
  if (typeof value === 'string') {
    const text = compileText(value, reader, property, mediaType)
    return text.constant === undefined ? (document) => text.render(document) : () => value
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => valueSource(item, reader, property, mediaType))
    return (document) => new JArrayList(items.map((item) => item(document)))
  }
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, member]): [CompiledText, ValueSource] => [
      compileText(name, reader, property, mediaType),
      valueSource(member, reader, property, mediaType),
    ])
    return (document) => {
      const map = new JHashMap()
      for (const [name, member] of members) map.put_2(name.render(document), member(document))
      return map
    }
  }
  const java = javaOf(value)
  return () => java
}

const MEDIA_TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded']

/** The option `media_type`: how values in templates are escaped. */
export function readMediaType(reader: ConfigReader): string {
  const mediaType = reader.optionalString('media_type') ?? MEDIA_TYPES[0]!
  if (MEDIA_TYPES.includes(mediaType)) return mediaType
  throw reader.error('media_type', `property does not contain a supported media type [${mediaType}]`)
}
