/** Patterns of logs from programming languages, frameworks and databases. */
import type { PatternTable } from './notation.ts'

const JAVA_NAME = '[A-Za-z$_][\\w$]*'
const JAVA_CLASS = '%{JAVACLASS:class|[java][log][origin][class][name]}'
const JAVA_METHOD = '%{JAVAMETHOD:method|[log][origin][function]}'
const CLOCK = '%{HOUR}:%{MINUTE}:%{SECOND}'
/** Older Tomcat versions may omit the colons. */
const LOOSE_CLOCK = '%{HOUR}:?%{MINUTE}(?::?%{SECOND})'
const ACTIVE_RECORD = 'ActiveRecord: %{NUMBER:activerecordms|[rails][request][duration][active_record]:float}ms'

/** `name:number` in MongoDB's profiler. */
const counter = (word: string): [string, string] => [
  `%{WORD}:%{NONNEGINT:${word}}`,
  `${word}:%{NONNEGINT:[mongodb][profile][${word}]:int}`,
]
const COUNTERS = ['ntoreturn', 'ntoskip', 'nscanned'].map(counter)

export const PROGRAMS: PatternTable = {
  JAVACLASS: `(?:${JAVA_NAME}\\.)*${JAVA_NAME}`,
  // Spaces are allowed, because "Native Method" may replace a file name.
  JAVAFILE: '[\\w$. -]+',
  JAVAMETHOD: `(?:<(?:cl)?init>|${JAVA_NAME})`,
  JAVASTACKTRACEPART: [
    '%{SPACE}at %{JAVACLASS:class}\\.%{JAVAMETHOD:method}\\(%{JAVAFILE:file}(?::%{NUMBER:line})?\\)',
    `%{SPACE}at ${JAVA_CLASS}\\.${JAVA_METHOD}\\(%{JAVAFILE:[log][origin][file][name]}` +
      '(?::%{INT:[log][origin][file][line]:int})?\\)',
  ],
  JAVATHREAD: '[A-Z]{2}-Processor\\d+',
  JAVALOGMESSAGE: '.*',
  CATALINA7_DATESTAMP: [undefined, `%{MONTH} %{MONTHDAY}, %{YEAR} ${CLOCK} (?:AM|PM)`],
  CATALINA7_LOG: [
    undefined,
    `%{CATALINA7_DATESTAMP:timestamp} ${JAVA_CLASS}(?: ${JAVA_METHOD})?\\s*(?:%{LOGLEVEL:[log][level]}:)? ` +
      '%{JAVALOGMESSAGE:message}',
  ],
  CATALINA8_DATESTAMP: [undefined, `%{MONTHDAY}-%{MONTH}-%{YEAR} ${CLOCK}`],
  CATALINA8_LOG: [
    undefined,
    '%{CATALINA8_DATESTAMP:timestamp} %{LOGLEVEL:[log][level]} \\[%{DATA:[java][log][origin][thread][name]}\\] ' +
      `${JAVA_CLASS}\\.(?:${JAVA_METHOD})? %{JAVALOGMESSAGE:message}`,
  ],
  CATALINA_DATESTAMP: [
    `%{MONTH} %{MONTHDAY}, 20%{YEAR} ${LOOSE_CLOCK} (?:AM|PM)`,
    '%{CATALINA8_DATESTAMP}|%{CATALINA7_DATESTAMP}',
  ],
  CATALINALOG: [
    '%{CATALINA_DATESTAMP:timestamp} %{JAVACLASS:class} %{JAVALOGMESSAGE:logmessage}',
    '%{CATALINA8_LOG}|%{CATALINA7_LOG}',
  ],
  TOMCAT7_LOG: [undefined, '%{CATALINA7_LOG}'],
  TOMCAT8_LOG: [undefined, '%{CATALINA8_LOG}'],
  TOMCATLEGACY_DATESTAMP: [undefined, `%{YEAR}-%{MONTHNUM}-%{MONTHDAY} ${CLOCK}(?: %{ISO8601_TIMEZONE})?`],
  TOMCATLEGACY_LOG: [
    undefined,
    `%{TOMCATLEGACY_DATESTAMP:timestamp} \\| %{LOGLEVEL:[log][level]} \\| ${JAVA_CLASS} - %{JAVALOGMESSAGE:message}`,
  ],
  TOMCAT_DATESTAMP: [
    `20%{YEAR}-%{MONTHNUM}-%{MONTHDAY} ${LOOSE_CLOCK} %{ISO8601_TIMEZONE}`,
    '%{CATALINA8_DATESTAMP}|%{CATALINA7_DATESTAMP}|%{TOMCATLEGACY_DATESTAMP}',
  ],
  TOMCATLOG: [
    '%{TOMCAT_DATESTAMP:timestamp} \\| %{LOGLEVEL:level} \\| %{JAVACLASS:class} - %{JAVALOGMESSAGE:logmessage}',
    '%{TOMCAT8_LOG}|%{TOMCAT7_LOG}|%{TOMCATLEGACY_LOG}',
  ],
  MAVEN_VERSION: '(?:\\d+\\.)?(?:\\d+\\.)?(?:\\*|\\d+)(?:[.-](?:RELEASE|SNAPSHOT))?',

  RUBY_LOGLEVEL: 'DEBUG|FATAL|ERROR|WARN|INFO',
  RUBY_LOGGER:
    '[DFEWI], \\[%{TIMESTAMP_ISO8601:timestamp} #%{POSINT:pid|[process][pid]:int}\\] ' +
    '*%{RUBY_LOGLEVEL:loglevel|[log][level]} -- +%{DATA:progname|[process][name]}: %{GREEDYDATA:message}',
  RUUID: '\\h{32}',
  RCONTROLLER: [
    '(?<controller>[^#]+)#(?<action>\\w+)',
    '(?<[rails][controller][class]>[^#]+)#(?<[rails][controller][action]>\\w+)',
  ],
  RAILS3HEAD:
    '(?m)Started %{WORD:verb|[http][request][method]} "%{URIPATHPARAM:request|[url][original]}" ' +
    'for %{IPORHOST:clientip|[source][address]} ' +
    `at (?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY} ${CLOCK} %{ISO8601_TIMEZONE})`,
  RPROCESSING: [
    '\\W*Processing by %{RCONTROLLER} as (?<format>\\S+)(?:\\W*Parameters: \\{%{DATA:params}\\}\\W*)?',
    '\\W*Processing by %{RCONTROLLER} as (?<[rails][request][format]>\\S+)' +
      '(?:\\W*Parameters: \\{%{DATA:[rails][request][params]}\\}\\W*)?',
  ],
  RAILS3FOOT: [
    'Completed %{NUMBER:response}%{DATA} in %{NUMBER:totalms}ms %{RAILS3PROFILE}%{GREEDYDATA}',
    'Completed %{POSINT:[http][response][status_code]:int}%{DATA} ' +
      'in %{NUMBER:[rails][request][duration][total]:float}ms %{RAILS3PROFILE}%{GREEDYDATA}',
  ],
  RAILS3PROFILE:
    `(?:\\(Views: %{NUMBER:viewms|[rails][request][duration][view]:float}ms \\| ${ACTIVE_RECORD}|` +
    `\\(${ACTIVE_RECORD})?`,
  RAILS3: [
    '%{RAILS3HEAD}(?:%{RPROCESSING})?(?<context>(?:%{DATA}\\n)*)(?:%{RAILS3FOOT})?',
    '%{RAILS3HEAD}(?:%{RPROCESSING})?(?<[rails][request][explain][original]>(?:%{DATA}\\n)*)(?:%{RAILS3FOOT})?',
  ],

  REDISTIMESTAMP: '%{MONTHDAY} %{MONTH} %{TIME}',
  REDISLOG: [
    '\\[%{POSINT:pid}\\] %{REDISTIMESTAMP:timestamp} \\* ',
    '\\[%{POSINT:[process][pid]:int}\\] %{REDISTIMESTAMP:timestamp} \\*',
  ],
  REDISMONLOG: [
    '%{NUMBER:timestamp} \\[%{INT:database} %{IP:client}:%{NUMBER:port}\\] "%{WORD:command}"\\s?%{GREEDYDATA:params}',
    '%{NUMBER:timestamp} \\[%{INT:[redis][database][id]} %{IP:[client][ip]}:%{POSINT:[client][port]:int}\\] ' +
      '"%{WORD:[redis][command][name]}"\\s?%{GREEDYDATA:[redis][command][args]}',
  ],
  POSTGRESQL:
    '%{DATESTAMP:timestamp} %{TZ:|[event][timezone]} %{DATA:user_id|[user][name]} ' +
    '%{GREEDYDATA:connection_id|[postgresql][log][connection_id]} %{POSINT:pid|[process][pid]:int}',

  MONGO_LOG: '%{SYSLOGTIMESTAMP:timestamp} \\[%{WORD:component|[mongodb][component]}\\] %{GREEDYDATA:message}',
  MONGO_QUERY: '\\{ .*(?= \\} ntoreturn:) \\}',
  MONGO_WORDDASH: '\\b[\\w-]+\\b',
  MONGO_SLOWQUERY: [
    `%{WORD} %{MONGO_WORDDASH:database}\\.%{MONGO_WORDDASH:collection} %{WORD}: %{MONGO_QUERY:query} ` +
      `${COUNTERS.map(([legacy]) => legacy).join(' ')}.*nreturned:%{NONNEGINT:nreturned}..+ (?<duration>[0-9]+)ms`,
    '%{WORD:[mongodb][profile][op]} %{MONGO_WORDDASH:[mongodb][database]}\\.%{MONGO_WORDDASH:[mongodb][collection]} ' +
      `%{WORD}: %{MONGO_QUERY:[mongodb][query][original]} ${COUNTERS.map(([, ecs]) => ecs).join(' ')}.*? ` +
      'nreturned:%{NONNEGINT:[mongodb][profile][nreturned]:int}.*? %{INT:[mongodb][profile][duration]:int}ms',
  ],
  MONGO3_SEVERITY: '\\w',
  MONGO3_COMPONENT: ['%{WORD}|-', '%{WORD}'],
  MONGO3_LOG: [
    '%{TIMESTAMP_ISO8601:timestamp} %{MONGO3_SEVERITY:severity} %{MONGO3_COMPONENT:component}%{SPACE}' +
      '(?:\\[%{DATA:context}\\])? %{GREEDYDATA:message}',
    '%{TIMESTAMP_ISO8601:timestamp} %{MONGO3_SEVERITY:[log][level]} (?:-|%{MONGO3_COMPONENT:[mongodb][component]})' +
      '%{SPACE}(?:\\[%{DATA:[mongodb][context]}\\])? %{GREEDYDATA:message}',
  ],
}
