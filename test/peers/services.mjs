// Name servers, the token service of S3, and the scraper of metrics.
import { execFileSync } from 'node:child_process'
import { installPython, interpreterOf } from '../clients/runner/install.mjs'
import { expect, firstLine, freePort, isRoot, JSON_OUT, until } from './harness.mjs'
import { folderOf, installed } from './logs.mjs'

const LINES = Array.from({ length: 100 }, (_, i) => `line ${i}`)

/** The first six requests, which make the user and the role. moto checks credentials and signatures of all later ones. */
const AMAZON = `import json, sys
import boto3
port = sys.argv[1]
at = dict(endpoint_url='http://127.0.0.1:' + port, region_name='us-east-1', aws_access_key_id='first', aws_secret_access_key='first')
iam = boto3.client('iam', **at)
allow = lambda action: json.dumps({'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': action, 'Resource': '*'}]})
iam.create_user(UserName='shipper')
iam.put_user_policy(UserName='shipper', PolicyName='assume', PolicyDocument=allow('sts:AssumeRole'))
key = iam.create_access_key(UserName='shipper')['AccessKey']
role = iam.create_role(RoleName='writer', AssumeRolePolicyDocument=allow('sts:AssumeRole'))['Role']['Arn']
iam.put_role_policy(RoleName='writer', PolicyName='write', PolicyDocument=allow('s3:*'))
boto3.client('s3', **at).create_bucket(Bucket='logs')
print(json.dumps([key['AccessKeyId'], key['SecretAccessKey'], role]))`

export const SERVICES = [
  {
    name: 'dnsmasq',
    plugins: 'filter dns',
    program: 'dnsmasq',
    package: 'dnsmasq-base',
    version: () => firstLine('dnsmasq', ['--version']).replace(/ {2}.*/, ''),
    async run(surroundings) {
      const port = await freePort()
      surroundings.spawn('dnsmasq', [
        '--keep-in-foreground',
        ...['--no-resolv', '--no-hosts', '--bind-interfaces', '--listen-address=127.0.0.1', '--pid-file='],
        `--port=${port}`,
        '--conf-file=/dev/null',
        ...(isRoot ? ['--user=root'] : []),
        '--host-record=one.test,10.1.2.3',
        '--host-record=two.test,10.1.2.4',
        '--local=/test/10.in-addr.arpa/',
      ])
      const filter = (more) =>
        surroundings.pipeline(
          `input { stdin { } } filter { dns { nameserver => "127.0.0.1:${port}" ${more} timeout => 5 action => "replace" } } ${JSON_OUT}`,
          more.includes('reverse') ? ['10.1.2.3', '10.1.2.4', '10.9.9.9'] : ['one.test', 'two.test', 'none.test'],
        )
      const messages = (events) => events.map(({ message }) => message)
      await until(async () => messages(await filter('resolve => "message"'))[0] === '10.1.2.3', 'dnsmasq')
      expect(messages(await filter('resolve => "message"')), ['10.1.2.3', '10.1.2.4', 'none.test'], 'names: ')
      expect(messages(await filter('reverse => "message"')), ['one.test', 'two.test', '10.9.9.9'], 'addresses: ')
      return 'names and addresses resolved; those without a record stay as they are'
    },
  },
  {
    name: 'moto',
    plugins: 'input s3, output s3',
    program: 'python3',
    package: 'python3',
    version: () => installed('moto', (folder) => installPython(folder, ['moto[server,s3,iam]', 'boto3'])),
    async run(surroundings) {
      const [port, python] = [await freePort(), interpreterOf(folderOf('moto'))]
      await surroundings.server(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], port, {
        env: { INITIAL_NO_AUTH_ACTION_COUNT: '6' },
      })
      const made = execFileSync(python, ['-c', AMAZON, String(port)], { encoding: 'utf8' })
      const [id, secret, role] = JSON.parse(made)
      const at = `endpoint => "http://127.0.0.1:${port}" bucket => "logs" access_key_id => "${id}" secret_access_key => "${secret}"`
      const write = (more) =>
        surroundings.pipeline(
          `input { stdin { } } output { s3 { ${at} ${more} codec => line { format => "%{message}" } } }`,
          LINES,
        )
      const own = await write('').then(
        () => 'accepted',
        (error) => error.message,
      )
      if (!/privileges/.test(own)) throw new Error(`the user may not write without the role: ${own}`)
      await write(`role_arn => "${role}"`)
      const events = await surroundings.pipeline(
        `input { s3 { ${at} role_arn => "${role}" watch_for_new_files => false cutoff_second => 0 } } ${JSON_OUT}`,
      )
      expect(events.map(({ message }) => message.trim()).sort(), [...LINES].sort())
      return `${LINES.length} lines written and read with a role that the user assumes; refused without it`
    },
  },
  {
    name: 'Prometheus',
    plugins: 'monitoring API',
    program: 'prometheus',
    package: 'prometheus',
    version: () => firstLine('prometheus', ['--version']).replace(/\(.*/, '').trim(),
    async run(surroundings) {
      const [api, port] = [await freePort(), await freePort()]
      const tool = surroundings.start(
        'input { heartbeat { interval => 0.05 } } filter { mutate { id => "named" add_tag => ["x"] } } output { null { } }',
        { api },
      )
      const metrics = await until(
        () =>
          fetch(`http://127.0.0.1:${api}/metrics`).then(
            (answer) => answer.text(),
            () => undefined,
          ),
        'the monitoring API',
      )
      execFileSync('promtool', ['check', 'metrics'], { input: metrics, stdio: ['pipe', 'ignore', 'pipe'] })
      const config = surroundings.file(
        'prometheus.yml',
        `scrape_configs:\n  - job_name: peer\n    scrape_interval: 1s\n    static_configs:\n      - targets: ['127.0.0.1:${api}']\n`,
      )
      await surroundings.server(
        'prometheus',
        [
          `--config.file=${config}`,
          `--storage.tsdb.path=${surroundings.subfolder('tsdb')}`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        port,
      )
      const query = async (text) => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(text)}`)
        return (await answer.json()).data?.result ?? []
      }
      await until(async () => (await query('up{job="peer"} == 1')).length === 1, 'a scrape')
      const found = await until(async () => {
        const series = await query('{job="peer",__name__=~".*events.*",id="named"} > 0')
        return series.length > 0 ? series : undefined
      }, 'the counters of the filter')
      await tool.stop()
      return `promtool accepts the format; ${found.length} counters of a filter scraped`
    },
  },
]
