/** The Debug and Json classes of Painless. */

import { JsonReader } from '../../../../base/json/json-reader.ts'
import { encodeJson } from '../../../../base/json/json-writer.ts'
import { plainValue } from '../../../../base/json/plain-value.ts'
import { illegalArgument, throwable } from '../../errors/java-throwable.ts'
import { fromJava, toJava } from '../../host/host-values.ts'
import { classOf } from '../class-of.ts'
import { textOf } from '../java-text.ts'
import { registerStatics } from '../registry.ts'

/** Stops the script with an error that describes a value. */
function explain(value: unknown): never {
  const error = throwable('org.elasticsearch.painless.PainlessExplainError')
  const name = classOf(value)
  error.members =
    value === null
      ? { to_string: 'null' }
      : { painless_class: name.replaceAll('$', '.'), to_string: textOf(value), java_class: name }
  throw error
}

registerStatics('org.elasticsearch.painless.api.Debug', { explain_1: explain })

function load(text: string): unknown {
  try {
    const bytes = new TextEncoder().encode(text)
    const reader = new JsonReader()
    reader.reset(bytes)
    reader.next()
    return toJava(plainValue(reader, true))
  } catch (e) {
    throw illegalArgument((e as Error).message)
  }
}

const dump = (value: unknown, pretty = false): string => {
  const text = encodeJson(fromJava(value)).toString('utf8')
  return pretty ? JSON.stringify(JSON.parse(text), null, 2) : text
}

registerStatics('org.elasticsearch.painless.api.Json', {
  load_1: load,
  dump_1: (value: unknown) => dump(value),
  dump_2: dump,
})
