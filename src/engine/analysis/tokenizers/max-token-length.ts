/** How long tokens may get. Lucene has two families of tokenizers, which reject other lengths in different words. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { DEFAULT_MAX_TOKEN_LENGTH } from './standard.ts'

const MOST = 1024 * 1024

/** `max_token_length` of tokenizers that find words: `standard`, `uax_url_email`. `classic` has no upper bound. */
export function wordTokenLength(settings: ComponentSettings, most = MOST): number {
  const length = settings.integer('max_token_length', DEFAULT_MAX_TOKEN_LENGTH)
  if (length < 1) throw illegalArgument('maxTokenLength must be greater than zero')
  if (length > most) throw illegalArgument(`maxTokenLength may not exceed ${most}`)
  return length
}

/** `max_token_length` of tokenizers that examine single characters: `whitespace`, `char_group`, `keyword`. */
export function characterTokenLength(settings: ComponentSettings, name: string, otherwise: number): number {
  const length = settings.integer(name, otherwise)
  if (length <= 0 || length > MOST) {
    throw illegalArgument(`maxTokenLen must be greater than 0 and less than ${MOST} passed: ${length}`)
  }
  return length
}
