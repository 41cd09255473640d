/** The settings that the next backing index of a data stream gets from its template and from the stream. */
import type { DataStream, FlatSettings } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { compose, matchingTemplate } from '../templates/compose-template.ts'

export function nextSettings(state: MetadataState, stream: DataStream): FlatSettings {
  const match = matchingTemplate(state, stream.name, false)
  const template = match === undefined ? {} : compose(state, match.template).settings
  return { ...template, ...stream.settings }
}
