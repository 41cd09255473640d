/** Field names, which may be templates. */
import type { ConfigReader } from '../pipeline/config-reader.ts'
import { type CompiledText, compileText } from '../template/compiled-text.ts'

export const fieldName = (text: string, reader: ConfigReader, property = 'field'): CompiledText =>
  compileText(text, reader, property)
