/** The messages between the thread that owns the metadata and the thread that runs pipelines. */
import type { ScriptSettings } from '../../../engine/running/script-settings.ts'
import type { StoredScript } from '../../metadata/metadata.ts'

export interface IngestDefinitions {
  /** Definitions as JSON text, by id. */
  readonly pipelines: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, StoredScript>>
  readonly scriptSettings: ScriptSettings
  readonly databaseFolder: string | undefined
  /**
   * Whether a pipeline exists, or an index or template refers to one. Otherwise writes skip the lookup of pipelines.
   */
  readonly isUsed: boolean
  /** Whether the built-in pipelines exist. */
  readonly hasBuiltIns: boolean
}

/** The settings `index.default_pipeline` and `index.final_pipeline` of an index, if they are set. */
export interface IngestRoute {
  readonly default: string | undefined
  readonly final: string | undefined
}

/** A document before its pipelines. */
export interface IngestRequest {
  readonly index: string
  readonly id: string | undefined
  readonly routing: string | undefined
  /** -3 if no version was given. */
  readonly version: number
  readonly versionType: string
  readonly ifSeqNo: number | undefined
  readonly ifPrimaryTerm: number | undefined
  readonly source: Uint8Array
  /** The pipeline that runs first, and the final pipeline. */
  readonly pipeline: string | undefined
  readonly final: string | undefined
}

/** A document after its pipelines. */
export interface IngestedDocument {
  readonly index: string
  readonly id: string | undefined
  readonly routing: string | undefined
  readonly version: number
  readonly versionType: string
  readonly ifSeqNo: number | undefined
  readonly ifPrimaryTerm: number | undefined
  readonly dynamicTemplates: Readonly<Record<string, string>> | undefined
  /** The source as JSON text. */
  readonly source: string
  readonly executed: readonly string[]
}

export type IngestResult = IngestedDocument | 'dropped'

export interface SimulateRequest {
  /** The id of a stored pipeline. Without it the body contains the pipeline. */
  readonly id: string | undefined
  readonly isVerbose: boolean
  readonly body: Uint8Array
}

export interface CounterStats {
  readonly count: number
  readonly timeMs: number
  readonly current: number
  readonly failed: number
}

export interface PipelineStats extends CounterStats {
  readonly ingestedBytes: number
  readonly producedBytes: number
  readonly processors: readonly (CounterStats & { readonly type: string; readonly tag: string | undefined })[]
}

export interface IngestStats {
  readonly total: CounterStats
  readonly pipelines: Readonly<Record<string, PipelineStats>>
}

/** Runs pipelines. Implementations exist for the same thread and for another one. */
export interface IngestHost {
  define(definitions: IngestDefinitions): Promise<void>
  run(request: IngestRequest): Promise<IngestResult>
  /** The response as JSON. */
  simulate(request: SimulateRequest): Promise<Uint8Array>
  stats(): Promise<IngestStats>
}
