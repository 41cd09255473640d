/** The services around a fake shard host, for tests of the metadata side. */
import { silentLog } from '../../base/log.ts'
import type { Directory } from '../../engine/store/directory.ts'
import { MetadataStore } from '../metadata/metadata-store.ts'
import { IndexStats } from '../stats/index-stats.ts'
import { SearchStatistics } from '../stats/search-counters.ts'
import { TemplateService } from '../templates/template-service.ts'
import { AliasService } from './alias-service.ts'
import { DataStreamService } from './data-stream-service.ts'
import { createFakeHost } from './fake-host.ts'
import type { IndexContext } from './index-context.ts'
import { IndexCreator } from './index-creator.ts'
import { IndexMappings } from './index-mappings.ts'
import { IndexService } from './index-service.ts'
import { IndexShards } from './index-shards.ts'
import { MappingService } from './mapping-service.ts'
import { RolloverService } from './rollover.ts'
import { SettingsService } from './settings-service.ts'
import { WriteTargets } from './write-targets.ts'

export const FIXTURE_NOW_MS = Date.UTC(2024, 4, 17, 10)

export function createServices(directory?: Directory) {
  const host = createFakeHost()
  const store = MetadataStore.open(directory)
  const shards = new IndexShards(host, undefined, silentLog)
  const context: IndexContext = { store, mappings: new IndexMappings(), shards, clock: { nowMs: () => FIXTURE_NOW_MS } }
  const creator = new IndexCreator(context)
  const stats = new IndexStats(context, new SearchStatistics(), () => 'node')
  return {
    host,
    store,
    context,
    creator,
    indices: new IndexService(context, creator),
    mappings: new MappingService(context),
    settings: new SettingsService(context),
    aliases: new AliasService(context),
    templates: new TemplateService(context),
    dataStreams: new DataStreamService(context, creator, stats),
    rollover: new RolloverService(context, creator, stats),
    writeTargets: new WriteTargets(context, creator),
  }
}
