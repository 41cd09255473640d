/** The ingest pipelines of the template `logs`. */
import type { StoredPipeline } from '../metadata.ts'
import { LEGACY_VERSION, managed, STACK_VERSION } from './stack-version.ts'

const DEFAULT = {
  processors: [
    {
      set: {
        description: "If '@timestamp' is missing, set it with the ingest timestamp",
        field: '@timestamp',
        override: false,
        copy_from: '_ingest.timestamp',
      },
    },
    {
      pipeline: {
        name: 'logs@custom',
        ignore_missing_pipeline: true,
        description: 'Runs the pipeline logs@custom, which does not exist unless it is created for further processing',
      },
    },
  ],
  _meta: managed('default pipeline for the logs index template installed by x-pack'),
}

/** For `logs@custom`: messages that are JSON objects become members of the document. */
const JSON_MESSAGES = {
  processors: [
    {
      rename: {
        if: "ctx.message instanceof String && ctx.message.startsWith('{') && ctx.message.endsWith('}')",
        field: 'message',
        target_field: '_tmp_json_message',
        ignore_missing: true,
      },
    },
    {
      json: {
        if: 'ctx._tmp_json_message != null',
        field: '_tmp_json_message',
        add_to_root: true,
        add_to_root_conflict_strategy: 'merge',
        allow_duplicate_keys: true,
        on_failure: [{ rename: { field: '_tmp_json_message', target_field: 'message', ignore_missing: true } }],
      },
    },
    { dot_expander: { if: 'ctx._tmp_json_message != null', field: '*', override: true } },
    { remove: { field: '_tmp_json_message', ignore_missing: true } },
  ],
  _meta: managed('automatic parsing of JSON log messages'),
}

const text = (pipeline: object, isFormer: boolean): StoredPipeline => ({
  config: JSON.stringify({
    ...pipeline,
    version: isFormer ? LEGACY_VERSION : STACK_VERSION,
    deprecated: isFormer,
  }),
})

export function ingestPipelines(): ReadonlyMap<string, StoredPipeline> {
  return new Map([
    ['logs@default-pipeline', text(DEFAULT, false)],
    ['logs@json-pipeline', text(JSON_MESSAGES, false)],
    ['logs-default-pipeline', text(DEFAULT, true)],
    ['logs@json-message', text(JSON_MESSAGES, true)],
  ])
}

/**
 * Whether a write to this name may create a stream with a built-in pipeline. Date math in a name is resolved later. Once the
 * stream exists, the settings of its indices name the pipeline.
 */
export const mayCreateStreamWithPipeline = (name: string): boolean => name.startsWith('logs-') || name.startsWith('<')
