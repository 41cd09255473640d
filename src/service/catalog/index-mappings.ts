/**
 * The parsed mappings and analyzers of the indices. Metadata stores both as JSON; they are parsed on first use, so that
 * starting with a thousand indices costs nothing.
 *
 * Parsed mappings are cached by their JSON object. Metadata never changes in place, so the object identifies a version.
 * It does so better than the version number: after a failed write, the next change gets the same number.
 */
import { AnalysisRegistry } from '../../engine/analysis/registry/analysis-registry.ts'
import { type IndexMapping, parseMapping } from '../../engine/mapping/mapping.ts'
import { mappingLimits } from '../../engine/mapping/mapping-context.ts'
import { Similarities } from '../../engine/mapping/similarities.ts'
import type { FlatSettings, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { AnalysisFiles } from './analysis-files.ts'

export class IndexMappings {
  readonly #parsed = new WeakMap<JsonObject, { settings: FlatSettings; mapping: IndexMapping }>()
  readonly #analysis = new WeakMap<FlatSettings, AnalysisRegistry>()
  readonly #files: AnalysisFiles
  readonly #similarities = new WeakMap<FlatSettings, Similarities>()

  /**
   * `files` is given where indices are created and changed; elsewhere the settings already contain the file contents.
   */
  constructor(files = new AnalysisFiles(undefined)) {
    this.#files = files
  }

  /** Settings with the contents of the files they refer to. */
  withFiles(settings: FlatSettings): FlatSettings {
    return this.#files.load(settings)
  }

  of(index: IndexMetadata): IndexMapping {
    const known = this.#parsed.get(index.mapping)
    if (known !== undefined && known.settings === index.settings) return known.mapping
    const mapping = this.#read(index.settings, index.mapping, this.analysis(index), true)
    this.remember(index, mapping)
    return mapping
  }

  /** Caches a mapping that was parsed while `index` was created. */
  remember({ mapping: json, settings }: IndexMetadata, mapping: IndexMapping): void {
    this.#parsed.set(json, { settings, mapping })
  }

  /** Gives back the memory of an index that nobody uses at the moment. */
  forget({ mapping, settings }: IndexMetadata): void {
    this.#parsed.delete(mapping)
    this.#analysis.delete(settings)
    this.#similarities.delete(settings)
  }

  analysis({ settings }: IndexMetadata): AnalysisRegistry {
    let registry = this.#analysis.get(settings)
    if (registry === undefined) this.#analysis.set(settings, (registry = this.newAnalysis(settings)))
    return registry
  }

  similarities({ settings }: IndexMetadata): Similarities {
    return this.#similaritiesOf(settings)
  }

  #similaritiesOf(settings: FlatSettings): Similarities {
    let known = this.#similarities.get(settings)
    if (known === undefined) this.#similarities.set(settings, (known = Similarities.fromSettings(settings)))
    return known
  }

  /** Throws if an analyzer is defined incorrectly. */
  newAnalysis(settings: FlatSettings): AnalysisRegistry {
    return AnalysisRegistry.fromSettings(settings)
  }

  parse(settings: FlatSettings, mapping: JsonObject, analysis = this.newAnalysis(settings)): IndexMapping {
    return this.#read(settings, mapping, analysis, false)
  }

  #read(settings: FlatSettings, mapping: JsonObject, analysis: AnalysisRegistry, stored: boolean): IndexMapping {
    // No limit is a list setting.
    const limits = mappingLimits(settings as Record<string, string>)
    return parseMapping(mapping, { analysis, limits, similarities: this.#similaritiesOf(settings) }, { stored })
  }
}
