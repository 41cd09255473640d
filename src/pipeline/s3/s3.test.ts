import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { s3 as input } from '../inputs/s3.ts'
import { s3 as output } from '../outputs/s3.ts'
import { makeInput, makeOutput, RunningInput, testContext } from '../registry/plugin-fixture.ts'
import { S3Fixture, type StoredObject } from './s3-fixture.ts'

const OLD_MS = Date.parse('2026-01-01T00:00:00Z')

async function surroundings(t: TestContext) {
  const server = await new S3Fixture().start()
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-s3-'))
  t.after(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { server, folder, context: testContext({ dataFolder: folder }) }
}

/** Reads all existing objects and stops. */
async function readAll(options: Record<string, unknown>, context: ReturnType<typeof testContext>): Promise<Event[]> {
  const made = await makeInput(input, { interval: 0.01, ...options, watch_for_new_files: false }, context)
  const running = await new RunningInput(made).start()
  await running.ended()
  return running.events
}

function event(message: string, host = 'a'): Event {
  const made = Event.ofMessage(message, new Timestamp(0))
  made.set('host', host)
  return made
}

test('the lines of objects become events in the order in which the objects were modified', async (t) => {
  const { server, folder, context } = await surroundings(t)
  server.put('b', 'one\ntwo', OLD_MS + 1000, { 'x-amz-meta-owner': 'me', 'content-type': 'text/plain' })
  server.put('größe/a (1).gz', gzipSync('three\r\nfour\n'), OLD_MS)
  server.put('empty', '', OLD_MS)
  server.put('folder/', 'x', OLD_MS)
  server.put('skipped.tmp', 'x', OLD_MS)
  const options = {
    ...server.options,
    exclude_pattern: '\\.tmp$',
    include_object_properties: true,
    temporary_directory: join(folder, 'tmp'),
  }
  const events = await readAll(options, context)
  assert.deepEqual(
    events.map(({ fields, metadata }) => [fields['message'], (metadata['s3'] as Record<string, unknown>)['key']]),
    [
      ['three', 'größe/a (1).gz'],
      ['four', 'größe/a (1).gz'],
      ['one\n', 'b'],
      ['two', 'b'],
    ],
  )
  assert.equal(events[2]!.get('[@metadata][s3][content_type]'), 'text/plain')
  assert.equal(events[2]!.get('[@metadata][s3][metadata][owner]'), 'me')
  assert.equal(events[2]!.get('[@metadata][s3][content_length]'), 7)
  assert.deepEqual(readdirSync(join(folder, 'tmp')), [])
  assert.equal((await readAll(options, context)).length, 0)
  server.put('c', 'new', OLD_MS + 1000)
  assert.deepEqual(
    (await readAll(options, context)).map(({ fields }) => fields['message']),
    ['new'],
  )
})

test('lines that describe the fields of CloudFront are no events, and their content is added to the others', async (t) => {
  const { server, context } = await surroundings(t)
  server.put('log', '#Version: 1.0\n#Fields: date time\n2026 12:00\n', OLD_MS)
  const [classic, ...more] = await readAll(server.options, context)
  assert.deepEqual(more, [])
  assert.equal(classic!.fields['cloudfront_version'], '1.0')
  assert.equal(classic!.fields['cloudfront_fields'], 'date time')
  const [ecs] = await readAll({ ...server.options, prefix: 'l' }, { ...context, ecs: 'v8' })
  assert.equal(ecs!.get('[@metadata][s3][cloudfront][version]'), '1.0')
})

test('an object is backed up and deleted after its events were delivered, and not before', async (t) => {
  const { server, folder, context } = await surroundings(t)
  server.put('in/a', 'one\n', OLD_MS)
  const options = {
    ...server.options,
    prefix: 'in/',
    delete: true,
    backup_to_bucket: 'done',
    backup_add_prefix: 'old/',
  }
  const made = await makeInput(input, { ...options, backup_to_dir: join(folder, 'copies') }, context)
  await made.start!()
  let acknowledge: (() => void) | undefined
  const pushed = new Promise<void>((resolve) => {
    void made.run({
      push: (_events, onAcknowledged) => {
        acknowledge = onAcknowledged
        resolve()
        return undefined
      },
    })
  })
  await pushed
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(server.buckets.get('logs')!.has('in/a'))
  acknowledge!()
  while (server.buckets.get('logs')!.size > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  made.stop()
  await made.close!()
  assert.deepEqual([...server.buckets.get('done')!.keys()], ['old/in/a'])
  assert.equal(readFileSync(join(folder, 'copies', 'a'), 'utf8'), 'one\n')
})

test('an object that cannot be downloaded holds back the newer ones, so that it is not skipped', async (t) => {
  const { server, context } = await surroundings(t)
  server.put('a', 'first\n', OLD_MS)
  server.put('b', 'second\n', OLD_MS + 5000)
  server.refuses = (method, key) => method === 'GET' && key === 'a'
  assert.equal((await readAll(server.options, context)).length, 0)
  server.refuses = () => false
  const events = await readAll(server.options, context)
  assert.deepEqual(
    events.map(({ fields }) => fields['message']),
    ['first\n', 'second\n'],
  )
})

test('events are uploaded in files of a size, below the prefix of each event', async (t) => {
  const { server, context } = await surroundings(t)
  const made = await makeOutput(
    output,
    {
      ...server.options,
      prefix: 'x/%{host}',
      size_file: 20,
      tags: ['t', 'u'],
      codec: 'json_lines',
      storage_class: 'STANDARD_IA',
    },
    context,
  )
  await made.start!()
  for (const message of ['one', 'two']) await made.write([event(message), event(message, '../b^')])
  await made.close!()
  const objects = [...server.buckets.get('logs')!]
  const expected = /^x\/(a|\.\.\/b_)\/ls\.s3\.[0-9a-f-]{36}\.\d{4}-\d\d-\d\dT\d\d\.\d\d\.tag_t\.u\.part[01]\.txt$/
  assert.equal(objects.length, 4)
  for (const [key, { headers, bytes }] of objects) {
    assert.match(key, expected)
    assert.equal(headers['x-amz-acl'], 'private')
    assert.equal(headers['x-amz-storage-class'], 'STANDARD_IA')
    assert.match(bytes.toString(), /^\{.*"message":"(one|two)".*\}\n$/)
  }
})

test('with encoding gzip files are compressed, and files above the threshold are uploaded in parts', async (t) => {
  const { server, context } = await surroundings(t)
  const options = { ...server.options, encoding: 'gzip', upload_multipart_threshold: 10, server_side_encryption: true }
  const made = await makeOutput(output, options, context)
  await made.start!()
  await made.write([event('one')])
  await made.write([event('two')])
  await made.close!()
  const [[key, { bytes, headers }]] = [...server.buckets.get('logs')!] as [[string, StoredObject], ...unknown[]]
  assert.match(key, /\.part0\.txt\.gz$/)
  assert.match(gunzipSync(bytes).toString(), /one\n.* two\n$/)
  assert.equal(headers['content-encoding'] ?? 'gzip', 'gzip')
})

test('files that a killed run left behind are uploaded at the next start', async (t) => {
  const { server, folder, context } = await surroundings(t)
  const options = { ...server.options, prefix: 'p', temporary_directory: join(folder, 'tmp'), retry_delay: 0.01 }
  server.refuses = (method, key) => method === 'PUT' && key.includes('ls.s3')
  const killed = await makeOutput(output, { ...options, retry_count: 0 }, context)
  await killed.start!()
  await killed.write([event('kept')])
  await killed.close!()
  assert.equal(server.buckets.get('logs')!.size, 0)
  server.refuses = () => false
  const next = await makeOutput(output, options, context)
  await next.start!()
  await next.close!()
  const [key] = [...server.buckets.get('logs')!.keys()]
  assert.match(key!, /^p\/ls\.s3\./)
  assert.deepEqual(existsSync(join(folder, 'tmp')) ? readdirSync(join(folder, 'tmp')) : [], [])
})

test('a bucket that cannot be written to rejects the pipeline', async (t) => {
  const { server, context } = await surroundings(t)
  const made = await makeOutput(output, { ...server.options, secret_access_key: 'wrong' }, context)
  await assert.rejects(made.start!(), /must have the privileges to write to root bucket `logs`.*SignatureDoesNotMatch/)
  await made.close!()
})

test('credentials are read from options, a file, the environment or a profile; without any the pipeline is rejected', async (t) => {
  const { folder } = await surroundings(t)
  const environment = { HOME: folder }
  const none = { bucket: 'logs' }
  await assert.rejects(makeInput(input, none, testContext({ environment })), /no credentials/)
  const named = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
  await makeInput(input, none, testContext({ environment: named }))
  await assert.rejects(
    makeInput(input, { ...none, additional_settings: new Map([['x', 1]]) }, testContext({ environment: named })),
    /additional_settings: "x" is not known/,
  )
})

const ROLE = 'arn:aws:iam::1:role/reader'

test('with role_arn requests are signed with the temporary credentials of the role, fetched once', async (t) => {
  const { server, context } = await surroundings(t)
  server.roles.set(ROLE, 'shared')
  server.put('a', 'one\n', OLD_MS)
  server.put('b', 'two\n', OLD_MS)
  const events = await readAll({ ...server.options, role_arn: ROLE, role_external_id: 'shared' }, context)
  assert.equal(events.length, 2)
  assert.deepEqual(server.assumed, [
    { Action: 'AssumeRole', Version: '2011-06-15', RoleArn: ROLE, RoleSessionName: 'logstash', ExternalId: 'shared' },
  ])
})

test('credentials of a role that are about to expire are fetched again', async (t) => {
  const { server, context } = await surroundings(t)
  server.roles.set(ROLE, null)
  server.roleLifetimeMs = 60_000
  server.put('a', 'one\n', OLD_MS)
  await readAll({ ...server.options, role_arn: ROLE, role_session_name: 'me' }, context)
  assert.ok(server.assumed.length > 1)
  assert.equal(server.assumed[0]!['RoleSessionName'], 'me')
})

test('a role that cannot be assumed fails the upload with the error of the token service', async (t) => {
  const { server, context } = await surroundings(t)
  const made = await makeOutput(output, { ...server.options, role_arn: ROLE }, context)
  await assert.rejects(made.start!(), /privileges|AccessDenied/)
  await made.close?.()
})
