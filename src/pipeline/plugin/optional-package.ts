/**
 * Packages that few configurations need are not installed with the program. A plugin that needs one loads it when the configuration
 * is built, and says what to install if it is missing.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PluginOptionError } from './plugin-context.ts'

/** Looks beside the program first, then in the folder where it was started. */
export function loadOptional<T>(name: string, purpose: string): T {
  const places = [import.meta.url, join(process.cwd(), 'package.json')]
  for (const place of places) {
    try {
      return createRequire(place)(name) as T
    } catch (error) {
      // The package is installed but cannot be loaded: its own error is reported.
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new PluginOptionError(
    `${purpose} needs the package "${name}", which is not installed: npm install ${name} (with -g if sandpiper is installed globally)`,
  )
}
