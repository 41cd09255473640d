/** What a processor is, and how one is made of its configuration. */
import type { IngestDocument } from '../document/ingest-document.ts'
import type { Config, ConfigReader } from './config-reader.ts'
import type { PipelineRunner } from './step.ts'

/** Changes a document. Throws an ApiError where that fails. */
export type Processor = (document: IngestDocument) => void

/** What the factories of processors may ask for. */
export interface ProcessorSurroundings {
  readonly nowMs: () => number
  /** A pipeline by its id; undefined where there is none. */
  readonly pipeline: (id: string) => PipelineRunner | undefined
  /** A processor within another one, as foreach has it. */
  readonly inner: (type: string, config: Config) => Processor
  /** The folder with the databases of the geoip processor; undefined where nothing is on disk. */
  readonly databaseFolder: string | undefined
}

/** Reads all its options from `reader` and returns the processor. */
export type ProcessorFactory = (reader: ConfigReader, around: ProcessorSurroundings) => Processor

/** The pipelines that processors call: the verbose simulation looks into them. */
export const calledPipelines = new WeakMap<Processor, (document: IngestDocument) => PipelineRunner | undefined>()
