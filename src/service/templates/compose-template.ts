/** Finds the templates of a new index and composes them. */
import { newMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { mergeTemplateOptions } from '../definitions/failure-store.ts'
import type {
  AliasMetadata,
  FlatSettings,
  IndexTemplate,
  JsonObject,
  LegacyTemplate,
  SettingValue,
  TemplateContent,
} from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { mergeMappings } from './merge-mappings.ts'

/** The contributions of templates to an index, from lowest to highest precedence. */
export interface Composed {
  readonly settings: FlatSettings
  /** Settings that are null in the highest layer that names them. */
  readonly unset: readonly string[]
  readonly mappings: JsonObject
  /** Whether a layer has mappings, even empty ones. */
  readonly hasMappings: boolean
  readonly aliases: Readonly<Record<string, AliasMetadata>>
  readonly lifecycle?: JsonObject
  readonly dataStreamOptions?: JsonObject
}

export interface NamedTemplate {
  readonly name: string
  readonly template: IndexTemplate
}

/** The matching composable template with the highest priority. */
export function matchingTemplate(state: MetadataState, name: string, hidden: boolean): NamedTemplate | undefined {
  return matchingTemplates(state, name, hidden)[0]
}

/** All matching templates, highest priority first. A catch-all template does not apply to hidden indices. */
export function matchingTemplates(state: MetadataState, name: string, hidden = false): NamedTemplate[] {
  const found: NamedTemplate[] = []
  for (const [templateName, template] of state.indexTemplates) {
    const applies = template.patterns.some((pattern) => !(hidden && pattern === '*') && namePattern(pattern)(name))
    if (applies) found.push({ name: templateName, template })
  }
  return found.sort((a, b) => (b.template.priority ?? 0) - (a.template.priority ?? 0))
}

/** Matching legacy templates, in the order in which they apply. */
export function matchingLegacyTemplates(
  state: MetadataState,
  name: string,
  hidden: boolean,
): { name: string; template: LegacyTemplate }[] {
  const found: { name: string; template: LegacyTemplate }[] = []
  for (const [templateName, template] of state.legacyTemplates) {
    const applies = template.patterns.some((pattern) => !(hidden && pattern === '*') && namePattern(pattern)(name))
    if (applies) found.push({ name: templateName, template })
  }
  return found.sort((a, b) => a.template.order - b.template.order)
}

/** The components in order, then the template itself. A component may be missing if the template allows it. */
export function compose(state: MetadataState, template: IndexTemplate): Composed {
  const layers: TemplateContent[] = template.composedOf
    .map((name) => state.componentTemplates.get(name)?.template)
    .filter((content) => content !== undefined)
  if (template.template !== undefined) layers.push(template.template)
  return join(layers)
}

export function composeLegacy(templates: readonly { template: LegacyTemplate }[]): Composed {
  return join(templates.map(({ template }) => template))
}

function join(layers: readonly TemplateContent[]): Composed {
  const settings: Record<string, SettingValue> = newMembers()
  const unset = new Set<string>()
  let aliases: Readonly<Record<string, AliasMetadata>> = {}
  let lifecycle: JsonObject | undefined
  let options: JsonObject | undefined
  const mappings: JsonObject[] = []
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer.settings ?? {})) {
      settings[name] = value
      unset.delete(name)
    }
    for (const name of layer.unset ?? []) {
      delete settings[name]
      unset.add(name)
    }
    aliases = { ...aliases, ...layer.aliases }
    if (layer.mappings !== undefined) mappings.push(layer.mappings)
    lifecycle = layer.lifecycle ?? lifecycle
    if (layer.dataStreamOptions !== undefined) options = mergeTemplateOptions(options, layer.dataStreamOptions)
  }
  const own = {
    settings: { ...settings },
    unset: [...unset],
    mappings: mergeMappings(mappings),
    hasMappings: mappings.length > 0,
    aliases,
  }
  return {
    ...own,
    ...(lifecycle === undefined ? {} : { lifecycle }),
    ...(options === undefined ? {} : { dataStreamOptions: options }),
  }
}
