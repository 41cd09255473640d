/** Errors for scripts of requests: their language, their options, and stored scripts. */
import { illegalArgument, resourceNotFound } from '../api-error.ts'

export const scriptLanguageNotSupported = (language: string) =>
  illegalArgument(`script_lang not supported [${language}]`)

export const storedScriptMissing = (id: string | undefined) =>
  resourceNotFound(`unable to find script [${id}] in cluster state`)

export const illegalCompilerOptions = (options: readonly (readonly [name: string, value: unknown])[]) =>
  illegalArgument(
    `illegal compiler options [{${options.map(([name, value]) => `${name}=${value}`).join(', ')}}] specified`,
  )
