/** foreach: runs a processor on every element of a list, or on every member of an object. */
import { illegalArgument } from '../../../base/api-error.ts'
import { JArrayList, JHashMap, JList, JMap, javaClassOf } from '../../../engine/painless/index.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import { isObject } from '../pipeline/config-reader.ts'
import type { Processor, ProcessorFactory } from '../pipeline/processor.ts'

export const foreach: ProcessorFactory = (reader, around) => {
  const field = reader.string('field')
  const ignoresMissing = reader.boolean('ignore_missing', false)
  const config = reader.map('processor')
  const entries = Object.entries(config)
  if (entries.length !== 1) throw reader.error('processor', 'Must specify exactly one processor type')
  const [type, options] = entries[0]!
  const run = around.inner(type, isObject(options) ? options : (options as never))
  return (document) => {
    const value = document.find(field, ignoresMissing)
    if (value === undefined || value === null) {
      if (ignoresMissing) return
      throw illegalArgument(`field [${field}] is null, cannot loop over its elements.`)
    }
    if (value instanceof JList) eachElement(document, field, value, run)
    else if (value instanceof JMap) eachMember(document, field, value, run)
    else {
      throw illegalArgument(`field [${field}] of type [${javaClassOf(value)}] cannot be cast to a list or map`)
    }
  }
}

function eachElement(document: IngestDocument, field: string, list: JList, run: Processor): void {
  const { ingest } = document
  const items: unknown[] = []
  for (const item of [...list.items]) {
    const outer = ingest.get_1('_value')
    ingest.put_2('_value', item)
    try {
      run(document)
    } finally {
      items.push(ingest.get_1('_value'))
      ingest.put_2('_value', outer)
    }
    if (document.isDropped) return
  }
  document.set(field, new JArrayList(items))
}

function eachMember(document: IngestDocument, field: string, map: JMap, run: Processor): void {
  const { ingest } = document
  const members = new JHashMap()
  for (const { key, value } of [...map.entries()]) {
    const outer = [ingest.get_1('_key'), ingest.get_1('_value')] as const
    ingest.put_2('_key', key)
    ingest.put_2('_value', value)
    try {
      run(document)
    } finally {
      const newKey = ingest.get_1('_key')
      if (newKey !== null && newKey !== '') members.put_2(newKey, ingest.get_1('_value'))
      ingest.put_2('_key', outer[0])
      ingest.put_2('_value', outer[1])
    }
    if (document.isDropped) return
  }
  document.set(field, members)
}
