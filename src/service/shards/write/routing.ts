/** The routing value of a document, which its alias may prescribe. */
import { illegalArgument } from '../../../base/api-error.ts'

/** `name` is the name in the request; `aliasRouting` is the routing of that alias, if it is one. */
export function resolveRouting(
  name: string,
  aliasRouting: string | undefined,
  asked: string | undefined,
): string | undefined {
  if (aliasRouting === undefined) return asked
  if (asked !== undefined && asked !== aliasRouting) {
    throw illegalArgument(
      `Alias [${name}] has index routing associated with it [${aliasRouting}], and was provided with routing value ` +
        `[${asked}], rejecting operation`,
    )
  }
  return aliasRouting
}
