/** Which routing value a document goes by, when its alias may have one of its own. */
import { illegalArgument } from '../../../base/api-error.ts'

/** `name` is the name the request used; `aliasRouting` what that alias prescribes, if it is one. */
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
