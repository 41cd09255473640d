/** The class `Processors` of ingest scripts, as in `Processors.lowercase(ctx.a)`. */
import { ApiError } from '../../../base/api-error.ts'
import { type Implementation, JavaThrowable, type JMap } from '../../../engine/painless/index.ts'
import { parseJsonText } from '../processors/json.ts'
import { bytesOf, urlDecoded } from '../processors/text-changes.ts'
import { uriParts } from '../processors/uri-parts.ts'

const JAVA_CLASSES: Readonly<Record<string, string>> = {
  illegal_argument_exception: 'java.lang.IllegalArgumentException',
  parse_exception: 'org.elasticsearch.ElasticsearchParseException',
  x_content_parse_exception: 'org.elasticsearch.xcontent.XContentParseException',
}

/** A script sees the failure of a processor as a Java exception. */
function forScripts<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return work(...args)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new JavaThrowable(JAVA_CLASSES[error.type] ?? 'java.lang.IllegalArgumentException', error.message)
    }
  }
}

export function processorStatics(): Readonly<Record<string, Implementation>> {
  return {
    bytes_1: forScripts(bytesOf),
    lowercase_1: (text: string) => text.toLowerCase(),
    uppercase_1: (text: string) => text.toUpperCase(),
    urlDecode_1: forScripts(urlDecoded),
    uriParts_1: forScripts(uriParts),
    json_1: forScripts((value: string) => parseJsonText(value, { isStrict: true, allowsDuplicates: false })),
    json_2: forScripts((map: JMap, field: string) => {
      map.put_2(field, parseJsonText(String(map.get_1(field)), { isStrict: true, allowsDuplicates: false }))
    }),
    jsonLenient_1: forScripts((value: string) => parseJsonText(value, { isStrict: false, allowsDuplicates: true })),
  }
}
