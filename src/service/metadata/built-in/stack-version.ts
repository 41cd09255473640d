/** What all built-in templates, policies and pipelines have in common. */
import type { JsonObject } from '../metadata.ts'

/** The version that Elasticsearch 8 shows for its stack templates. */
export const STACK_VERSION = 14
/** The same for those with names from before 8.12. */
export const LEGACY_VERSION = 5

export const managed = (description: string): JsonObject => ({ description, managed: true })
