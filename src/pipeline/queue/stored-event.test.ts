import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Double } from '../../base/json/json-writer.ts'
import { Event } from '../event/event.ts'
import { toFieldValue } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { decodeEvent, encodeEvent } from './stored-event.ts'

// Goal: a stored event equals the pushed event, including the types of its values.
test('a stored event keeps all types of values, its metadata and its timestamps', () => {
  const event = Event.ofMessage('höhe "1"\n', new Timestamp(1_700_000_000_123, 456_000))
  event.set('whole', new Double(100))
  event.set('large', 12345678901234567890n)
  event.set('[nested][when]', new Timestamp(5))
  event.set('list', [new Timestamp(6), null, toFieldValue({ a: [1.5, true] })])
  event.set('[@metadata][path]', '/a')
  const back = decodeEvent(encodeEvent(event))
  assert.equal(encodeEvent(back), encodeEvent(event))
  assert.ok(back.get('[nested][when]') instanceof Timestamp)
  assert.ok((back.get('list') as unknown[])[0] instanceof Timestamp)
  assert.ok(back.timestamp?.equals(event.timestamp!))
  assert.equal(back.get('[@metadata][path]'), '/a')
})

test('an event without a timestamp stays without one', () => {
  const event = Event.ofMessage('x', new Timestamp(1))
  event.remove('@timestamp')
  assert.equal(decodeEvent(encodeEvent(event)).timestamp, undefined)
})
