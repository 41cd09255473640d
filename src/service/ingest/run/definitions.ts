/** What the thread that runs pipelines is told by the one that knows the metadata, and what the two exchange about documents. */
import type { ScriptSettings } from '../../../engine/scripts/script-environment.ts'
import type { StoredScript } from '../../metadata/metadata.ts'

export interface IngestDefinitions {
  /** Configurations as JSON text, by id. */
  readonly pipelines: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, StoredScript>>
  readonly scriptSettings: ScriptSettings
  readonly databaseFolder: string | undefined
  /** Whether an index, a template or a pipeline exists that documents could go through: otherwise nobody need ask. */
  readonly isUsed: boolean
}

/** The pipelines of an index: `index.default_pipeline` and `index.final_pipeline`, those that are set. */
export interface IngestRoute {
  readonly default: string | undefined
  readonly final: string | undefined
}

/** A document that is to go through pipelines. */
export interface IngestRequest {
  readonly index: string
  readonly id: string | undefined
  readonly routing: string | undefined
  /** -3 where none was given. */
  readonly version: number
  readonly versionType: string
  readonly ifSeqNo: number | undefined
  readonly ifPrimaryTerm: number | undefined
  readonly source: Uint8Array
  /** The first pipeline and the last. */
  readonly pipeline: string | undefined
  readonly final: string | undefined
}

/** The document behind its pipelines. */
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
  /** Of a stored pipeline; without it the body brings one. */
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

/** Runs pipelines, on whatever thread. */
export interface IngestHost {
  define(definitions: IngestDefinitions): Promise<void>
  run(request: IngestRequest): Promise<IngestResult>
  /** The answer as JSON. */
  simulate(request: SimulateRequest): Promise<Uint8Array>
  stats(): Promise<IngestStats>
}
