/** The Debug and Json classes of Painless. */

import { prettyJson } from '../../../../base/json/filter-path.ts'
import { END, JsonReader } from '../../../../base/json/json-reader.ts'
import { encodeJson } from '../../../../base/json/json-writer.ts'
import { plainValue } from '../../../../base/json/plain-value.ts'
import { JavaThrowable, nullPointer, throwable } from '../../errors/java-throwable.ts'
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
    if (reader.next() === END) throw nullPointer(NO_TOKEN)
    return toJava(plainValue(reader, true))
  } catch (e) {
    throw e instanceof JavaThrowable ? e : parseError((e as Error).message)
  }
}

const PARSER = 'org.elasticsearch.xcontent.XContentParser'
const NO_TOKEN = `Cannot invoke "${PARSER}$Token.ordinal()" because the return value of "${PARSER}.nextToken()" is null`

/** The parser's error names its input and a position in it. */
function parseError(message: string): JavaThrowable {
  const [, line, column] = /line: (\d+), column: (\d+)\]$/.exec(message) ?? []
  const isEnd = message.startsWith('Unexpected end-of-input')
  const reason = isEnd ? 'Unexpected end of file' : message.replaceAll('(byte[])', '(String)')
  return throwable(
    `org.elasticsearch.xcontent.XContent${isEnd ? 'EOF' : 'Parse'}Exception`,
    `[${line}:${column}] ${reason}`,
  )
}

const dump = (value: unknown, pretty = false): string => {
  const text = encodeJson(fromJava(value)).toString('utf8')
  return pretty ? prettyJson(text) : text
}

registerStatics('org.elasticsearch.painless.api.Json', {
  load_1: load,
  dump_1: (value: unknown) => dump(value),
  dump_2: dump,
})
