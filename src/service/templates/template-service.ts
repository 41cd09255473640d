/** Composable, component and legacy templates: stores, shows, deletes and simulates them. */

import { randomBytes } from 'node:crypto'
import { ApiError, illegalArgument, validationFailed } from '../../base/api-error.ts'
import { invalidTemplate, resourceNotFound, templateMissing } from '../../base/errors/index-errors.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { hashOrder } from '../../engine/values/java-text.ts'
import { ACKNOWLEDGED, type IndexContext } from '../catalog/index-context.ts'
import { checkTemplateAliasFilter } from '../definitions/alias-filter.ts'
import { printAlias } from '../definitions/alias-parser.ts'
import { STREAM_BASE } from '../definitions/data-stream-rules.ts'
import type {
  AliasMetadata,
  Change,
  ComponentTemplate,
  IndexTemplate,
  JsonObject,
  LegacyTemplate,
} from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { checkAliasName } from '../names/name-rules.ts'
import { printSettings } from '../settings/flat-settings.ts'
import { checkCounts, checkEachSetting, checkNewIndexSettings } from '../settings/update-settings.ts'
import { type Composed, compose, matchingTemplates } from './compose-template.ts'
import { mergeMappings } from './merge-mappings.ts'
import { anyOverlap } from './pattern-overlap.ts'
import { printComponentTemplate, printIndexTemplate, printLegacyTemplate } from './print-template.ts'
import {
  checkComponent,
  checkLegacyConflict,
  checkPriorityConflict,
  checkTemplate,
  legacyOverlapWarning,
} from './template-rules.ts'

export interface TemplateAnswer {
  readonly status: number
  readonly body: JsonObject
  readonly warnings?: readonly string[]
}

export class TemplateService {
  readonly #context: IndexContext

  constructor(context: IndexContext) {
    this.#context = context
  }

  async putIndexTemplate(name: string, template: IndexTemplate, create: boolean): Promise<TemplateAnswer> {
    checkPriority(template)
    let warning: string | undefined
    await this.#context.store.update((state) => {
      checkComponents(name, template, state)
      if (create && state.indexTemplates.has(name)) throw illegalArgument(`index template [${name}] already exists`)
      checkPatterns(template)
      this.#checkIndexTemplate(name, template, state)
      warning = legacyOverlapWarning(name, template.patterns, state)
      return [{ section: 'indexTemplates', name, value: template }]
    })
    return { status: 200, body: ACKNOWLEDGED, ...(warning === undefined ? {} : { warnings: [warning] }) }
  }

  getIndexTemplates(name: string | undefined, flat: boolean): TemplateAnswer {
    const found = select(this.#context.store.state.indexTemplates, name, 'index template')
    return {
      status: found.length === 0 && name !== undefined && name !== '*' ? 404 : 200,
      body: {
        index_templates: found.map(([found, template]) => ({
          name: found,
          index_template: printIndexTemplate(template, flat),
        })),
      },
    }
  }

  async deleteIndexTemplates(names: readonly string[]): Promise<JsonObject> {
    return this.#delete('indexTemplates', names, (missing) => templateMissing(missing), checkStreamsKeepTemplate)
  }

  async putComponentTemplate(name: string, template: ComponentTemplate, create: boolean): Promise<JsonObject> {
    await this.#context.store.update((state) => {
      checkEachSetting(template.template.settings ?? {}, template.template.unset)
      if (create && state.componentTemplates.has(name)) {
        throw illegalArgument(`component template [${name}] already exists`)
      }
      checkComponent(name, template.template)
      this.#checkAliases(template.template.aliases ?? {}, state)
      this.#context.mappings.parse(template.template.settings ?? {}, template.template.mappings ?? {})
      const next = state.with([{ section: 'componentTemplates', name, value: template }])
      for (const [user, { template: whole, text }] of usersOf(name, next))
        this.#checkComposition(user, whole, next, text)
      return [{ section: 'componentTemplates', name, value: template }]
    })
    return ACKNOWLEDGED
  }

  getComponentTemplates(name: string | undefined, flat: boolean): TemplateAnswer {
    const found = select(this.#context.store.state.componentTemplates, name, 'component template')
    return {
      status: found.length === 0 && name !== undefined && name !== '*' ? 404 : 200,
      body: {
        component_templates: found.map(([found, template]) => ({
          name: found,
          component_template: printComponentTemplate(template, flat),
        })),
      },
    }
  }

  async deleteComponentTemplates(names: readonly string[]): Promise<JsonObject> {
    return this.#delete(
      'componentTemplates',
      names,
      (missing) => resourceNotFound(missing),
      (state, doomed) => {
        const users = [...state.indexTemplates].filter(([, template]) =>
          template.composedOf.some((part) => doomed.includes(part) && template.ignoreMissing?.includes(part) !== true),
        )
        if (users.length === 0) return
        const used = doomed.filter((part) => users.some(([, template]) => template.composedOf.includes(part)))
        throw illegalArgument(
          `component templates [${used.join(', ')}] cannot be removed as they are still in use by index templates ` +
            `[${users.map(([user]) => user).join(', ')}]`,
        )
      },
    )
  }

  async putLegacyTemplate(name: string, template: LegacyTemplate, create: boolean): Promise<TemplateAnswer> {
    let warning: string | undefined
    await this.#context.store.update((state) => {
      checkTemplate(name, template.patterns)
      checkEachSetting(template.settings, template.unset)
      checkTemplate(name, template.patterns, template)
      checkNewIndexSettings(template.settings, template.unset)
      this.#checkAliases(template.aliases, state)
      this.#context.mappings.parse(template.settings, template.mappings)
      if (create && state.legacyTemplates.has(name)) throw illegalArgument(`index_template [${name}] already exists`)
      warning = checkLegacyConflict(name, template.patterns, state)
      return [{ section: 'legacyTemplates', name, value: template }]
    })
    return { status: 200, body: ACKNOWLEDGED, ...(warning === undefined ? {} : { warnings: [warning] }) }
  }

  getLegacyTemplates(names: readonly string[], flat: boolean): TemplateAnswer {
    const matches = names.map(namePattern)
    const found = [...this.#context.store.state.legacyTemplates].filter(
      ([name]) => names.length === 0 || matches.some((match) => match(name)),
    )
    return {
      status: found.length === 0 && names.length > 0 ? 404 : 200,
      body: Object.fromEntries(found.map(([name, template]) => [name, printLegacyTemplate(template, flat)])),
    }
  }

  async deleteLegacyTemplate(name: string): Promise<JsonObject> {
    return this.#delete('legacyTemplates', [name], (missing) => templateMissing(missing))
  }

  /** Simulates an index of this name; `extra` is added to the stored templates. */
  simulateIndex(name: string, extra: IndexTemplate | undefined): JsonObject {
    let state = this.#context.store.state
    const simulated = 'simulate_index_template'
    if (extra !== undefined) {
      checkPatterns(extra)
      checkPriority(extra)
      checkComponents(simulated, extra, state)
      this.#checkIndexTemplate(simulated, extra, state)
      state = state.with([{ section: 'indexTemplates', name: simulated, value: extra }])
    }
    const [match] = matchingTemplates(state, name)
    if (match === undefined) return {}
    // Overlapping templates are compared with the patterns of the template and not with the index name.
    return {
      template: this.#resolved(match.template, state),
      overlapping: overlapping(state, match.name, match.template.patterns),
    }
  }

  /** Simulates a template: a stored one, a new one, or a replacement of a stored one. */
  simulate(name: string | undefined, body: IndexTemplate | undefined): JsonObject {
    const state = this.#context.store.state
    if (name === undefined && body === undefined) {
      throw validationFailed('either index name or index template body must be specified for simulation')
    }
    const stored = name === undefined ? undefined : state.indexTemplates.get(name)
    const template = body ?? stored
    if (template === undefined) throw illegalArgument(`unable to simulate template [${name}] that does not exist`)
    const ownName = name ?? `simulate_template_${randomBytes(16).toString('base64url').toLowerCase()}`
    if (body !== undefined) {
      checkPatterns(body)
      checkPriority(body)
      checkComponents(ownName, body, state)
      this.#checkIndexTemplate(ownName, body, state)
    }
    return {
      template: this.#resolved(template, state),
      overlapping: overlapping(state, ownName, template.patterns),
    }
  }

  #resolved(template: IndexTemplate, state: MetadataState): JsonObject {
    const composed = compose(state, template)
    const base = template.dataStream === undefined ? undefined : STREAM_BASE
    const tier = template.dataStream === undefined ? 'data_content' : 'data_hot'
    checkCounts(composed.unset)
    const settings = { 'index.routing.allocation.include._tier_preference': tier, ...composed.settings }
    const mapping = mergeMappings([...(base === undefined ? [] : [base.mappings]), composed.mappings])
    const hasMapping = composed.hasMappings || base !== undefined
    return {
      settings: printSettings(settings, false, composed.unset),
      ...(hasMapping ? { mappings: this.#context.mappings.parse(composed.settings, mapping).toJson() } : {}),
      aliases: Object.fromEntries(Object.entries(composed.aliases).map(([name, alias]) => [name, printAlias(alias)])),
      ...(composed.lifecycle === undefined ? {} : { lifecycle: composed.lifecycle }),
      ...(composed.dataStreamOptions === undefined ? {} : { data_stream_options: composed.dataStreamOptions }),
    }
  }

  #checkIndexTemplate(name: string, template: IndexTemplate, state: MetadataState): void {
    checkPriorityConflict(name, template, state)
    checkTemplate(name, template.patterns, template.template)
    if (template.dataStream === undefined) {
      const { lifecycle, dataStreamOptions } = compose(state, template)
      const part =
        lifecycle !== undefined
          ? 'lifecycle configuration'
          : dataStreamOptions !== undefined
            ? 'data stream options'
            : undefined
      if (part !== undefined) {
        throw illegalArgument(
          `index template [${name}] specifies ${part} that can only be used in combination with a data stream`,
        )
      }
    }
    this.#checkAliases(template.template?.aliases ?? {}, state)
    const parts =
      template.composedOf.length === 0 ? '' : ` with component templates [${template.composedOf.join(', ')}]`
    const problem = `composable template [${name}] template after composition${parts} is invalid`
    this.#checkComposition(name, template, state, problem)
  }

  #checkAliases(aliases: Readonly<Record<string, AliasMetadata>>, state: MetadataState): void {
    for (const name of Object.keys(aliases)) if (!/^<.*>$/.test(name)) checkAliasName(name, state)
  }

  /** Components may be valid separately and contradict each other when composed. */
  #checkComposition(name: string, template: IndexTemplate, state: MetadataState, problem: string): void {
    const composed: Composed = compose(state, template)
    try {
      checkNewIndexSettings(composed.settings, composed.unset)
      const { mappings, clock } = this.#context
      for (const [alias, definition] of Object.entries(composed.aliases)) {
        checkTemplateAliasFilter(composed.settings, alias, definition, mappings, clock.nowMs())
      }
      this.#parseComposed(name, composed)
    } catch (error) {
      if (error instanceof ApiError) throw illegalArgument(problem, error)
      throw error
    }
  }

  #parseComposed(name: string, composed: Composed): void {
    try {
      this.#context.mappings.parse(composed.settings, composed.mappings)
    } catch (error) {
      if (error instanceof ApiError) throw illegalArgument(`invalid composite mappings for [${name}]`, error)
      throw error
    }
  }

  async #delete(
    section: 'indexTemplates' | 'componentTemplates' | 'legacyTemplates',
    names: readonly string[],
    missing: (name: string) => ApiError,
    check?: (state: MetadataState, doomed: readonly string[]) => void,
  ): Promise<JsonObject> {
    await this.#context.store.update((state) => {
      const present = [...state[section].keys()]
      const doomed: string[] = []
      for (const name of names) {
        const matching = present.filter(namePattern(name))
        if (matching.length === 0 && name !== '*') throw missing(name)
        doomed.push(...matching)
      }
      check?.(state, doomed)
      // Built-in templates outlive their deletion, and that of their replacement.
      const stored = doomed.filter((name) => state.sections[section].has(name))
      return stored.map((name) => ({ section, name, value: undefined }) as Change)
    })
    return ACKNOWLEDGED
  }
}

function checkPatterns({ patterns }: IndexTemplate): void {
  if (patterns.length === 0) throw illegalArgument('There must be at least one pattern, zero given')
}

function checkPriority({ priority = 0 }: IndexTemplate): void {
  if (priority < 0) throw validationFailed('index template priority must be >= 0')
}

function checkComponents(name: string, { composedOf, ignoreMissing = [] }: IndexTemplate, state: MetadataState): void {
  const missing = composedOf.filter((part) => !state.componentTemplates.has(part) && !ignoreMissing.includes(part))
  if (missing.length === 0) return
  throw invalidTemplate(
    name,
    ignoreMissing.length === 0
      ? `index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist`
      : `index template [${name}] specifies a missing component templates [${missing.join(', ')}] that does not exist and is not part of 'ignore_missing_component_templates'`,
  )
}

/** A data stream needs a template for its next backing index. */
function checkStreamsKeepTemplate(state: MetadataState, doomed: readonly string[]): void {
  const orphans = [...state.dataStreams.keys()].filter((stream) => {
    const matches = matchingTemplates(state, stream)
    return matches.length > 0 && matches.every(({ name }) => doomed.includes(name))
  })
  if (orphans.length === 0) return
  throw illegalArgument(
    `unable to remove composable templates [${doomed.join(', ')}] as they are in use by a data streams ` +
      `[${orphans.join(', ')}]`,
  )
}

/** Templates that use a component, with the error if the component breaks them. */
function usersOf(component: string, state: MetadataState) {
  return [...state.indexTemplates]
    .filter(([, template]) => template.composedOf.includes(component))
    .map(
      ([name, template]) =>
        [
          name,
          {
            template,
            text: `updating component template [${component}] results in invalid composable template [${name}] after templates are merged`,
          },
        ] as const,
    )
}

/** Elasticsearch lists templates as its hash map holds them. */
const inHashOrder = <T>(templates: ReadonlyMap<string, T>): [string, T][] =>
  hashOrder([...templates.keys()]).map((name) => [name, templates.get(name)!])

function select<T>(templates: ReadonlyMap<string, T>, name: string | undefined, kind: string): [string, T][] {
  if (name === undefined) return inHashOrder(templates)
  if (kind === 'index template' && name.includes(',')) throw illegalArgument("template name may not contain ','")
  const found = inHashOrder(templates).filter(([stored]) => namePattern(name)(stored))
  if (found.length === 0 && !name.includes('*')) throw resourceNotFound(`${kind} matching [${name}] not found`)
  return found
}

/** The other templates whose patterns overlap. */
function overlapping(state: MetadataState, name: string, patterns: readonly string[]): JsonObject[] {
  const found = new Map<string, { readonly patterns: readonly string[] }>(
    [...state.legacyTemplates, ...state.indexTemplates].filter(
      ([other, template]) => other !== name && anyOverlap(template.patterns, patterns),
    ),
  )
  return hashOrder([...found.keys()]).map((other) => ({ name: other, index_patterns: found.get(other)!.patterns }))
}
