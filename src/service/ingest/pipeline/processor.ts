/** The interfaces of processors and of their factories. */
import type { IngestDocument } from '../document/ingest-document.ts'
import type { Config, ConfigReader } from './config-reader.ts'
import type { PipelineRunner } from './step.ts'

/** Changes a document. Throws an ApiError on failure. */
export type Processor = (document: IngestDocument) => void

/** The environment of processor factories. */
export interface ProcessorSurroundings {
  readonly nowMs: () => number
  /** A pipeline by id; undefined if there is none. */
  readonly pipeline: (id: string) => PipelineRunner | undefined
  /** Creates a processor inside another one, for foreach. */
  readonly inner: (type: string, config: Config) => Processor
  /** The folder of the geoip databases; undefined for a node without a data folder. */
  readonly databaseFolder: string | undefined
}

/** Reads all options of the processor from `reader` and returns the processor. */
export type ProcessorFactory = (reader: ConfigReader, around: ProcessorSurroundings) => Processor

/** The pipelines that pipeline processors call. The verbose simulation shows their results. */
export const calledPipelines = new WeakMap<Processor, (document: IngestDocument) => PipelineRunner | undefined>()
