/**
 * Whose data a folder has. The service and the pipeline tool keep different files, and whoever deletes or restores a folder that
 * both use loses the data of the other; so each refuses a folder of the other, and the service one of Elasticsearch.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SettingsError } from './settings-error.ts'

/** Files and folders that only their owner makes. */
const MARKS = {
  node: ['metadata', 'security'],
  pipeline: ['uuid', 'plugins', 'queue', 'dead_letter_queue'],
  elasticsearch: ['nodes', '_state'],
} as const

type Owner = keyof typeof MARKS

const OWNERS: Readonly<Record<Owner, string>> = {
  node: 'of the search service',
  pipeline: 'of the pipeline tool',
  elasticsearch: 'of Elasticsearch, whose format the service does not read',
}

/** The folder of the pipeline tool where no setting names one. A folder `data` that the tool has written to is kept. */
export function standardPipelineFolder(): string {
  return hasData('data', 'pipeline') && !hasData('data', 'node') && !existsSync('pipeline-data')
    ? 'data'
    : 'pipeline-data'
}

/** Throws a `SettingsError` if the folder has data of another program and none of this one. */
export function refuseForeignFolder(folder: string, owner: 'node' | 'pipeline', flag: string): void {
  if (hasData(folder, owner)) return
  const other = (Object.keys(MARKS) as Owner[]).find((one) => one !== owner && hasData(folder, one))
  if (other === undefined) return
  throw new SettingsError(`${resolve(folder)} has data ${OWNERS[other]}; choose another folder with ${flag}`)
}

function hasData(folder: string, owner: Owner): boolean {
  return MARKS[owner].some((name) => existsSync(join(folder, name)))
}
