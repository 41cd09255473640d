/**
 * `script_exception` in responses: the failure, its place in the source, and the Java exception that caused it.
 *
 * It is an ApiError, so the service sends it to clients and across threads like any other failure.
 */
import { ApiError } from '../../../base/api-error.ts'

export interface ScriptPosition {
  offset: number
  start: number
  end: number
}

export interface ScriptFailure {
  reason: 'compile error' | 'link error' | 'runtime error'
  /** The language; Painless by default. */
  lang?: string
  scriptStack: readonly string[]
  script: string
  position?: ScriptPosition | undefined
  cause: ApiError
  /** Members of `Debug.explain`, written before `script_stack`. */
  explained?: Record<string, string>
  /** The cause is listed in `root_cause` instead of the script_exception. */
  causeIsRoot?: boolean
}

export class ScriptException extends ApiError {
  /** The type of the cause, e.g. `illegal_argument_exception`. */
  readonly causeType: string

  constructor(failure: ScriptFailure) {
    super(400, 'script_exception', failure.reason, {
      details: {
        ...failure.explained,
        script_stack: failure.scriptStack,
        script: failure.script,
        lang: failure.lang ?? 'painless',
        ...(failure.position === undefined ? {} : { position: failure.position }),
      },
      causedBy: failure.cause,
      ...(failure.causeIsRoot === true ? { rootCauses: [failure.cause] } : {}),
    })
    this.name = 'ScriptException'
    this.causeType = failure.cause.type
  }
}

/** Whether a script ran into a limit rather than failed: it would do so for other documents too. */
export const exceededLimit = (error: unknown): boolean =>
  error instanceof ScriptException && error.causeType.endsWith('_error')

/** A script that cannot be compiled. */
export class PainlessCompileError extends ScriptException {}

/** A script that failed while it ran. */
export class PainlessRuntimeError extends ScriptException {}
