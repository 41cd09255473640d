/**
 * What the service needs of the pipeline tool for the console: to try a grok pattern, to check a configuration, and to look at
 * running pipelines. The service does not import the tool; the command that starts the service passes an implementation in, which
 * loads the tool when somebody asks.
 */
import type { JsonValue } from '../base/json/json-writer.ts'

export interface GrokTrial {
  readonly pattern: string
  readonly lines: readonly string[]
  /** Patterns of the user, by name. */
  readonly definitions: Readonly<Record<string, string>>
  readonly ecs: boolean
}

export interface ConfigTrial {
  readonly config: string
  /** Sample lines, each taken through the filters as an event. */
  readonly lines: readonly string[]
  readonly ecs: boolean
}

export interface PipelineWorkbench {
  /** Which pieces of the pattern match which part of each line, and where the others stop. */
  tryGrok(trial: GrokTrial): Promise<JsonValue>
  /** The problems `-t` reports, and what each filter changes in the sample lines. */
  tryConfig(trial: ConfigTrial): Promise<JsonValue>
  /** The pipelines of a tool that runs on this machine, from its monitoring API. */
  running(port: number): Promise<JsonValue>
}
