/**
 * The parsed mappings of the indices. Metadata holds them as JSON; they are parsed when first needed and kept until the
 * index changes, so that starting with a thousand indices costs nothing.
 */
import { AnalysisRegistry } from '../../engine/analysis/analysis-registry.ts'
import { type IndexMapping, parseMapping } from '../../engine/mapping/mapping.ts'
import { mappingLimits } from '../../engine/mapping/mapping-context.ts'
import type { FlatSettings, IndexMetadata, JsonObject } from '../metadata/metadata.ts'

interface Parsed {
  readonly mapping: IndexMapping
  readonly mappingVersion: number
  readonly settingsVersion: number
}

/** Readers see the durable version of an index while the next ones are on their way to the disk. */
const VERSIONS_KEPT = 3

export class IndexMappings {
  readonly #parsed = new Map<string, Parsed[]>()
  readonly #analysis = new Map<string, { registry: AnalysisRegistry; settingsVersion: number }>()

  of(index: IndexMetadata): IndexMapping {
    const known = this.#parsed
      .get(index.uuid)
      ?.find((p) => p.mappingVersion === index.mappingVersion && p.settingsVersion === index.settingsVersion)
    if (known !== undefined) return known.mapping
    const mapping = this.parse(index.settings, index.mapping, this.analysis(index))
    this.remember(index, mapping)
    return mapping
  }

  /** Keeps a mapping that was made on the way to `index`, to save parsing it again. */
  remember(index: IndexMetadata, mapping: IndexMapping): void {
    const { mappingVersion, settingsVersion } = index
    const versions = this.#parsed.get(index.uuid) ?? []
    versions.unshift({ mapping, mappingVersion, settingsVersion })
    this.#parsed.set(index.uuid, versions.slice(0, VERSIONS_KEPT))
  }

  analysis(index: IndexMetadata): AnalysisRegistry {
    const known = this.#analysis.get(index.uuid)
    if (known?.settingsVersion === index.settingsVersion) return known.registry
    const registry = this.newAnalysis(index.settings)
    this.#analysis.set(index.uuid, { registry, settingsVersion: index.settingsVersion })
    return registry
  }

  /** Throws where an analyzer is defined wrongly. */
  newAnalysis(settings: FlatSettings): AnalysisRegistry {
    return AnalysisRegistry.fromSettings(settings)
  }

  parse(settings: FlatSettings, mapping: JsonObject, analysis = this.newAnalysis(settings)): IndexMapping {
    // None of the limits is a list.
    return parseMapping(mapping, { analysis, limits: mappingLimits(settings as Record<string, string>) })
  }

  forget(uuid: string): void {
    this.#parsed.delete(uuid)
    this.#analysis.delete(uuid)
  }
}
