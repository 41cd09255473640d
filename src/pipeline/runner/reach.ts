/** Compares what plugins and their options reach with what the settings of a pipeline allow. */
import type { ConfigProblem } from '../config/config-error.ts'
import type { PluginLabel } from '../config/option-values.ts'
import type { Attribute, PluginNode } from '../config/syntax-tree.ts'
import type { OptionTable } from '../plugin/options.ts'
import type { Allowance, Touches } from '../plugin/touches.ts'

export interface ReachingPlugin {
  readonly name: string
  readonly touches: Touches
  readonly options: OptionTable
}

/** Undefined if the plugin may be created. */
export type ReachRule = (
  node: PluginNode,
  label: PluginLabel,
  plugin: ReachingPlugin,
  allowed: Allowance,
) => ConfigProblem | 'left out' | undefined

/** For plugins that will run. */
export const refuseReach: ReachRule = (node, { kind, name }, plugin, allowed) => {
  const problem = (what: string, touches: Touches, at: ConfigProblem['at']): ConfigProblem => ({
    message: `${what} is not tried here, since it reaches ${NAMES[touches]}`,
    at,
    suggestion: allowed.advice,
  })
  if (!allowed.reach.has(plugin.touches)) return problem(`the ${kind} ${name}`, plugin.touches, node.at)
  const option = reachingOption(node, plugin, allowed)
  if (option === undefined) return undefined
  return problem(`the option ${option.attribute.name} of ${name}`, option.touches, option.attribute.at)
}

/** For plugins that are created to find mistakes, and never run. */
export const leaveOutReach: ReachRule = (node, _label, plugin, allowed) =>
  reachingOption(node, plugin, allowed) === undefined ? undefined : 'left out'

const NAMES: Readonly<Record<Touches, string>> = {
  nothing: 'nothing',
  files: 'files',
  network: 'the network',
  processes: 'programs, code or the environment',
}

function reachingOption(
  { attributes }: PluginNode,
  { options }: ReachingPlugin,
  allowed: Allowance,
): { attribute: Attribute; touches: Touches } | undefined {
  for (const attribute of attributes) {
    const spec = Object.hasOwn(options, attribute.name) ? options[attribute.name] : undefined
    const current = spec?.renamedTo === undefined ? spec : options[spec.renamedTo]
    const touches = current?.touches ?? 'nothing'
    if (!allowed.reach.has(touches)) return { attribute, touches }
  }
  return undefined
}
