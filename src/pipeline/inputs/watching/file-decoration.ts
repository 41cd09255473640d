/** Fields that the file input adds about the origin of a line. */
import type { Event } from '../../event/event.ts'
import type { PluginContext } from '../../plugin/plugin-context.ts'

export function fileDecoration({ ecs, hostName }: PluginContext): (event: Event, path: string) => void {
  if (ecs === 'disabled') {
    return (event, path) => {
      const { fields, metadata } = event
      if (fields['host'] === undefined) fields['host'] = hostName
      if (fields['path'] === undefined) fields['path'] = path
      metadata['path'] ??= path
      metadata['host'] ??= hostName
    }
  }
  return (event, path) => {
    event.setDefault('[host][name]', hostName)
    event.setDefault('[log][file][path]', path)
    event.metadata['path'] ??= path
    event.metadata['host'] ??= hostName
  }
}
