/**
 * The templates, policies and pipelines that every node has without anybody having stored them, as a distribution of
 * Elasticsearch installs them in its cluster state. What is stored under the same name replaces them; when that is deleted,
 * they are back. They are made when somebody first looks at them, and are never written to disk.
 */
import type { MetadataSections } from '../metadata.ts'
import { componentTemplates } from './components.ts'
import { indexTemplates } from './index-templates.ts'
import { ingestPipelines } from './ingest-pipelines.ts'
import { lifecyclePolicies } from './lifecycle-policies.ts'

const MAKERS = { indexTemplates, componentTemplates, lifecyclePolicies, ingestPipelines } as const

export type BuiltInSection = keyof typeof MAKERS

const made: { [S in BuiltInSection]?: MetadataSections[S] } = {}

export function builtIn<S extends BuiltInSection>(section: S): MetadataSections[S] {
  made[section] ??= MAKERS[section]() as (typeof made)[S]
  return made[section]!
}

/** Per stored section, which is immutable: the section with the built-ins. */
const joinedSections = new WeakMap<object, ReadonlyMap<string, unknown>>()

export function withBuiltIns<S extends BuiltInSection>(section: S, stored: MetadataSections[S]): MetadataSections[S] {
  let joined = joinedSections.get(stored)
  if (joined === undefined) {
    joined = new Map<string, unknown>([...builtIn(section), ...stored])
    joinedSections.set(stored, joined)
  }
  return joined as MetadataSections[S]
}
