/** The errors of expressions as Elasticsearch reports them: `compile error` and `link error`. */
import { ApiError } from '../../base/api-error.ts'
import { isStackOverflow } from '../../base/errors/overflow.ts'
import { ScriptException } from '../painless/index.ts'
import { ExpressionSyntaxError } from './syntax-error.ts'

/** `portion` is the part of the source that is shown: the whole expression, or one of its variables. */
export function expressionError(
  reason: 'compile error' | 'link error',
  source: string,
  portion: string,
  error: unknown,
): ScriptException {
  const offset = error instanceof ExpressionSyntaxError ? error.offset : 0
  return new ScriptException({
    reason,
    lang: 'expression',
    script: source,
    scriptStack: [portion, `${' '.repeat(offset)}^---- HERE`],
    cause: causeOf(error),
  })
}

function causeOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof ExpressionSyntaxError) return new ApiError(400, 'parse_exception', error.message)
  if (isStackOverflow(error)) return new ApiError(400, 'stack_overflow_error', 'the expression is nested too deeply')
  throw error
}
