// The clients that `npm run test:clients` runs. `install` returns the version, `test` the results of a run against a fresh service (see runner/results.mjs).
// `runs` says for the table what ran.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runClientBlocks } from './documentation.mjs'
import {
  classPathOf,
  commandVersion,
  copyWithPorts,
  installMaven,
  installNpm,
  installPython,
  interpreterOf,
  NotInstalled,
  run,
  scratchFolder,
  unpackDebianSource,
  unpackGoModule,
  unpackPythonSource,
} from './runner/install.mjs'
import { checksOf, goResults, pytestResults, stepsOf, tapResults } from './runner/results.mjs'
import { closedPorts, startService } from './runner/service.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const scenarios = join(here, 'real')

export const CLIENTS = [
  ...['7.17', '8.19', '9'].map((range) =>
    javascript(`@elastic/elasticsearch ${range}`, '@elastic/elasticsearch', range),
  ),
  javascript('@opensearch-project/opensearch', '@opensearch-project/opensearch', '3'),
  python('elasticsearch-py 8', 'elasticsearch', 'elasticsearch[async]>=8.19,<9'),
  python('elasticsearch-py 9', 'elasticsearch', 'elasticsearch[async]>=9,<10'),
  python('opensearch-py', 'opensearchpy', 'opensearch-py>=3,<4'),
  ...[
    ['elasticsearch.dsl 8', 'elasticsearch.dsl', ['elasticsearch[async]>=8.19,<9']],
    ['elasticsearch.dsl 9', 'elasticsearch.dsl', ['elasticsearch[async]>=9,<10']],
    ['elasticsearch-dsl 8', 'elasticsearch_dsl', ['elasticsearch-dsl>=8.17,<8.18', 'elasticsearch[async]>=8.19,<9']],
  ].map(([name, module, requirements]) => pythonScenario(name, requirements, 'python_dsl.py', [module])),
  pythonScenario('elasticsearch-py 8, async', ['elasticsearch[async]>=8.19,<9'], 'python_async.py'),
  pythonScenario('elasticsearch-py 9, async', ['elasticsearch[async]>=9,<10'], 'python_async.py'),
  pythonScenario(
    'langchain-elasticsearch',
    ['langchain-elasticsearch', 'elasticsearch>=8.19,<10'],
    'python_langchain.py',
  ),
  pythonScenario('eland', ['eland', 'elasticsearch>=8.19,<10'], 'python_eland.py'),
  {
    name: 'manual, JavaScript',
    runs: 'the programs of the manual',
    install: (folder) => installNpm(folder, ['@elastic/elasticsearch@8.19']),
    test: (folder, { url }) => runClientBlocks('js', folder, url, process.execPath),
  },
  {
    name: 'manual, Python',
    runs: 'the programs of the manual',
    install: (folder) => installPython(folder, ['elasticsearch>=8.19,<9']),
    test: (folder, { url }) => runClientBlocks('py', folder, url, interpreterOf(folder)),
  },
  goScenario('go-elasticsearch 8', 'github.com/elastic/go-elasticsearch/v8@v8.19.0'),
  {
    name: 'olivere/elastic 7',
    runs: 'its own suite',
    service: { flags: ['--cluster-name', 'elasticsearch'] },
    install: (folder) => unpackGoModule(folder, 'github.com/olivere/elastic/v7@v7.0.32'),
    async test(folder, service) {
      const secured = await startService({
        flags: ['--security', 'true'],
        environment: { ELASTIC_PASSWORD: 'elastic' },
      })
      try {
        // Tests of dead nodes need ports on which nobody listens.
        const [first, second, third, fourth] = await closedPorts(4)
        const dead = { 9201: first, 9299: second, 19200: third, 19201: fourth }
        const ports = { 9200: service.port, 9210: secured.port, ...dead }
        const texts = { '/usr/share/elasticsearch/backup': service.repositories }
        const source = copyWithPorts(join(folder, 'source'), join(scratchFolder(), 'elastic'), ports, texts)
        return goTest(source, ['.'])
      } finally {
        await secured.stop()
      }
    },
  },
  pythonSuite({
    // Releases 8 and 9 share their suite but for the name of the client's module. Release 9 refuses to talk to version 8.
    name: 'curator 8',
    requirements: ['elasticsearch-curator>=8,<9', 'pytest', 'requests'],
    source(folder) {
      unpackDebianSource(folder, 'elasticsearch-curator=9.0.0-1')
      rmSync(join(folder, 'source', 'curator'), { recursive: true })
    },
    texts: { elasticsearch9: 'elasticsearch8', 'es_client.utils': 'es_client.helpers.utils' },
    tests: ['tests/integration'],
    environment: ({ url }) => ({ TEST_ES_SERVER: url }),
  }),
  pythonSuite({
    name: 'django-haystack',
    requirements: [
      'django-haystack',
      'elasticsearch>=7,<8',
      'django',
      'whoosh',
      'geopy',
      'pysolr',
      'setuptools',
      'python-dateutil',
      'pytest-django',
    ],
    source: (folder) => unpackPythonSource(folder, 'django-haystack'),
    tests: ['test_haystack/elasticsearch7_tests'],
    environment: ({ url }) => ({
      TEST_ELASTICSEARCH_1_URL: `${url}/`,
      DJANGO_SETTINGS_MODULE: 'test_haystack.settings',
    }),
  }),
  pythonSuite({
    name: 'Haystack document store',
    requirements: ['elasticsearch-haystack', 'pytest', 'pytest-asyncio', 'pandas', 'sqlalchemy'],
    source: (folder) => unpackPythonSource(folder, 'elasticsearch-haystack'),
    tests: ['-m', 'integration', 'tests'],
    environment: () => ({ HAYSTACK_TELEMETRY_ENABLED: 'False' }),
  }),
  // The package has tests, but not the modules they import. Its documents are empty with later releases of the client.
  pythonScenario(
    'django-elasticsearch-dsl',
    ['django-elasticsearch-dsl>=9', 'django', 'elasticsearch>=9,<9.2'],
    'python_django_dsl.py',
  ),
  {
    name: 'ElastAlert 2',
    runs: 'scenario with every type of rule',
    install: (folder) => installPython(folder, ['elastalert2', 'pytz']),
    test: (folder, { url }) => scenarioOf('elastalert.mjs', [folder, url]),
  },
  {
    name: 'Rally',
    runs: 'a race with a track of our own',
    install: (folder) => installPython(folder, ['esrally']),
    test: (folder, { url, repositories }) => scenarioOf('rally.mjs', [folder, url, repositories]),
  },
  {
    name: 'Searchkit',
    runs: 'scenario',
    install: (folder) => installNpm(folder, ['@searchkit/api', 'searchkit']),
    test: (folder, { url }) => scenarioOf('searchkit.mjs', [folder, url]),
  },
  // The suite is in neither the gem nor a package of Debian.
  unavailable('searchkick', 'its own suite', 'the gem has no tests, and Debian has no package of it'),
  javaScenario('elasticsearch-java 8', 'java'),
  javaScenario('REST high-level client 7.17', 'java-rest'),
  {
    name: 'elasticdump',
    runs: 'scenario with all types',
    install: (folder) => installNpm(folder, ['elasticdump@6']),
    test: (folder, { url }) => scenarioOf('elasticdump.mjs', [folder, url]),
  },
  {
    name: 'rsyslog',
    runs: 'scenario of omelasticsearch',
    install: () => commandVersion('rsyslogd', ['-v'], /rsyslogd\s+([\d.]+)/),
    test: (_folder, { url }) => scenarioOf('rsyslog.mjs', [url]),
  },
  unavailable('fluent-bit', 'scenario of its output es', 'Debian has no package of it'),
  {
    name: 'TLS, passwords and API keys',
    runs: 'scenario of @elastic/elasticsearch 8, elasticsearch-py 8 and the pipeline tool',
    install(folder) {
      const versions = [
        installNpm(folder, ['@elastic/elasticsearch@8.19']),
        installPython(folder, ['elasticsearch>=8.19,<9']),
      ]
      return versions.join(', ')
    },
    test(folder) {
      const environment = { SANDPIPER_CLIENT_JS: folder, SANDPIPER_CLIENT_PYTHON: interpreterOf(folder) }
      const { stdout } = run(process.execPath, [join(here, 'secured-clients.mjs')], { environment })
      return checksOf(stdout)
    },
  },
  {
    name: 'Search::Elasticsearch 8',
    runs: 'its own suite',
    install: (folder) => unpackDebianSource(folder, 'libsearch-elasticsearch-perl=8.12-1'),
    test(folder, service) {
      const environment = { ELASTICSEARCH_URL: service.url, ES: service.url, CLIENT_VER: '8_0' }
      // One test connects to an address outside of this machine, to see how the client waits for it.
      const cwd = copyWithPorts(join(folder, 'source'), join(scratchFolder(), 'suite'), { 9200: service.port })
      const files = readdirSync(join(cwd, 't', 'Client_8_0')).filter(
        (file) => file.endsWith('.t') && file !== '34_bulk_cxn_errors.t',
      )
      const { stdout } = run('prove', ['-v', ...files.map((file) => `t/Client_8_0/${file}`)], { cwd, environment })
      return tapResults(stdout)
    },
  },
]

function javascript(name, packageName, range) {
  return {
    name,
    runs: 'scenario with all helpers',
    install: (folder) => installNpm(folder, [`${packageName}@${range}`]),
    test: (folder, { url }) =>
      stepsOf(run(process.execPath, [join(scenarios, 'javascript.mjs'), packageName, url], { cwd: folder }).stdout),
  }
}

function python(name, moduleName, requirement) {
  return pythonScenario(name, [requirement], 'python.py', [moduleName])
}

function pythonScenario(name, requirements, script, args = []) {
  return {
    name,
    runs: 'scenario',
    install: (folder) => installPython(folder, requirements),
    test: (folder, { url }) =>
      stepsOf(
        run(interpreterOf(folder), ['-W', 'ignore', join(scenarios, script), ...args, url], { cwd: folder }).stdout,
      ),
  }
}

/** A program of test/clients/real/ that prints the steps of a scenario. */
const scenarioOf = (script, args) => stepsOf(run(process.execPath, [join(scenarios, script), ...args]).stdout)

/** A client that cannot be installed by package name; the table shows the reason. */
function unavailable(name, runs, reason) {
  const install = () => {
    throw new NotInstalled(reason)
  }
  return { name, runs, absent: reason, install, test: () => [] }
}

/** A Maven project of test/clients/real/. */
function javaScenario(name, project) {
  return {
    name,
    runs: 'scenario',
    install: (folder) => installMaven(folder, join(scenarios, project)),
    test: (folder, { url }) =>
      stepsOf(run('java', ['-cp', classPathOf(folder), 'Scenario', url], { cwd: folder }).stdout),
  }
}

/** A suite that pytest runs; `source` unpacks it to `folder/source`. */
function pythonSuite({ name, requirements, source, texts = {}, tests, environment }) {
  return {
    name,
    runs: 'its own suite',
    install(folder) {
      const version = installPython(folder, requirements)
      source(folder)
      return version
    },
    test(folder, service) {
      const cwd = copyWithPorts(join(folder, 'source'), join(scratchFolder(), 'suite'), { 9200: service.port }, texts)
      const report = join(cwd, 'sandpiper-results.ndjson')
      const variables = {
        ...environment(service),
        SANDPIPER_RESULTS: report,
        PYTHONPATH: `${join(here, 'runner')}:${cwd}`,
      }
      const args = ['-m', 'pytest', '-q', '-p', 'pytest_results', '-p', 'no:cacheprovider', '--tb=short', ...tests]
      const { stdout, stderr } = run(interpreterOf(folder), args, { cwd, environment: variables })
      const text = readIfThere(report)
      if (text === '')
        return [{ test: 'the suite starts', status: 'failed', message: `${stdout}${stderr}`.slice(-500) }]
      rmSync(dirname(cwd), { recursive: true, force: true })
      return pytestResults(text)
    },
  }
}

function goScenario(name, requirement) {
  return {
    name,
    runs: 'scenario',
    install(folder) {
      cpSync(join(scenarios, 'go', 'main.go'), join(folder, 'main.go'))
      for (const args of [
        ['mod', 'init', 'scenario'],
        ['get', requirement],
        ['mod', 'tidy'],
      ])
        run('go', args, { cwd: folder })
      return requirement.split('@v').at(-1)
    },
    test(folder, { url }) {
      cpSync(join(scenarios, 'go', 'main.go'), join(folder, 'main.go'))
      return stepsOf(run('go', ['run', '.', url], { cwd: folder }).stdout)
    },
  }
}

function goTest(source, packages, environment = {}) {
  const variables = { GOFLAGS: '-mod=mod', ...environment }
  const { stdout, stderr } = run('go', ['test', '-json', '-vet=off', '-count=1', '-timeout', '15m', ...packages], {
    cwd: source,
    environment: variables,
  })
  const results = goResults(stdout)
  return results.length > 0 ? results : [{ test: 'the suite builds', status: 'failed', message: stderr.slice(-500) }]
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
