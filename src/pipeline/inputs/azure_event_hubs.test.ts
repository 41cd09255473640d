import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeInput } from '../registry/plugin-fixture.ts'
import { azureEventHubs } from './azure_event_hubs.ts'

const CONNECTION =
  'Endpoint=sb://ours.servicebus.windows.net/;SharedAccessKeyName=k;SharedAccessKey=c2VjcmV0;EntityPath=hub1'

test('event hubs are named by their connections or by a list, and what Kafka cannot do is refused', async () => {
  await makeInput(azureEventHubs, { event_hub_connections: [CONNECTION] })
  const hubs = [{ hub2: { event_hub_connection: CONNECTION, initial_position: 'end' } }]
  await makeInput(azureEventHubs, { config_mode: 'advanced', event_hubs: hubs })
  const refused: [Record<string, unknown>, RegExp][] = [
    [{}, /event_hub_connections is needed/],
    [{ config_mode: 'advanced' }, /event_hubs is needed/],
    [{ event_hub_connections: ['Endpoint=sb://ours/'] }, /"EntityPath=NAME"/],
    [{ event_hub_connections: ['nothing'] }, /"Endpoint=sb:\/\/NAME\/"/],
    [{ event_hub_connections: [CONNECTION], initial_position: 'look_back' }, /"beginning" or "end"/],
  ]
  for (const [options, message] of refused) await assert.rejects(makeInput(azureEventHubs, options), message)
})
