/** Patterns of the Bacula backup system: one per message, and one that matches any of them. */
import { anyOf, type PatternTable, type PatternText } from './notation.ts'

const VOLUME = '"%{BACULA_VOLUME:volume|[bacula][volume][name]}"'
const ON_DEVICE = 'on device "%{BACULA_DEVICE:device|[bacula][volume][device]}"'
const DEVICE_PATH = '\\(%{BACULA_DEVICEPATH:|[bacula][volume][path]}\\)'
const JOB = '%{BACULA_JOB:job|[bacula][job][name]}'
const CLIENT = '%{BACULA_HOST:client|[bacula][client][name]}'
const ERROR = 'ERR=%{GREEDYDATA:berror|[error][message]}'
const PEER: readonly [string, string] = [
  `(?:Client: ${CLIENT}|Storage daemon) on %{HOSTNAME}:%{POSINT}. ${ERROR}`,
  `(?:Client: ${CLIENT}|Storage daemon) on %{IPORHOST:[client][address]}:%{POSINT:[client][port]:int}. ${ERROR}`,
]
const LEGACY_MOMENT = '%{MONTHDAY}-%{MONTH}-%{YEAR} %{HOUR}:%{MINUTE}'
const ECS_MOMENT = '%{BACULA_TIMESTAMP:[bacula][timestamp]}'

/** Newer versions write "Fatal Error". */
const fatal = (rest: string): PatternText => [`Fatal error: ${rest}`, `Fatal [eE]rror: ${rest}`]

/** The messages, in the order they are tried. */
const MESSAGES: PatternTable = {
  MAX_CAPACITY: [
    `User defined maximum volume capacity %{BACULA_CAPACITY} exceeded ${ON_DEVICE} ${DEVICE_PATH}`,
    `User defined maximum volume capacity %{BACULA_CAPACITY:[bacula][volume][max_capacity]} exceeded ${ON_DEVICE} ${DEVICE_PATH}.?`,
  ],
  END_VOLUME: [
    `End of medium on Volume ${VOLUME} Bytes=%{BACULA_CAPACITY} Blocks=%{BACULA_CAPACITY} at ${LEGACY_MOMENT}.`,
    `End of medium on Volume ${VOLUME} Bytes=%{BACULA_CAPACITY:[bacula][volume][bytes]} ` +
      `Blocks=%{BACULA_CAPACITY:[bacula][volume][blocks]} at ${ECS_MOMENT}.`,
  ],
  NEW_VOLUME: `Created new Volume ${VOLUME} in catalog.`,
  NEW_LABEL: [
    `Labeled new Volume ${VOLUME} ${ON_DEVICE} ${DEVICE_PATH}.`,
    `Labeled new Volume ${VOLUME} ${ON_DEVICE.replace('on device', 'on (?:file )?device')} ${DEVICE_PATH}.`,
  ],
  WROTE_LABEL: `Wrote label to prelabeled Volume ${VOLUME} on device "%{BACULA_DEVICE:|[bacula][volume][device]}" ${DEVICE_PATH}`,
  NEW_MOUNT: [
    `New volume ${VOLUME} mounted ${ON_DEVICE} ${DEVICE_PATH} at ${LEGACY_MOMENT}.`,
    `New volume ${VOLUME} mounted ${ON_DEVICE} ${DEVICE_PATH} at ${ECS_MOMENT}.`,
  ],
  NOOPEN: `\\s*Cannot open %{DATA}: ${ERROR}`,
  NOOPENDIR: [
    `\\s*Could not open directory %{DATA}: ${ERROR}`,
    `\\s*Could not open directory "?%{DATA:[file][path]}"?: ${ERROR}`,
  ],
  NOSTAT: `\\s*Could not stat %{DATA:|[file][path]}: ${ERROR}`,
  NOJOBS: `There are no more Jobs associated with Volume ${VOLUME}. Marking it purged.`,
  ALL_RECORDS_PRUNED: [
    `All records pruned from Volume ${VOLUME}; marking it "Purged"`,
    `.*?All records pruned from Volume ${VOLUME}; marking it "Purged"`,
  ],
  BEGIN_PRUNE_JOBS: 'Begin pruning Jobs older than %{INT} month %{INT} days .',
  BEGIN_PRUNE_FILES: 'Begin pruning Files.',
  PRUNED_JOBS: `Pruned %{INT} Jobs* for client ${CLIENT} from catalog.`,
  PRUNED_FILES: `Pruned Files from %{INT} Jobs* for client ${CLIENT} from catalog.`,
  ENDPRUNE: 'End auto prune.',
  STARTJOB: `Start Backup JobId %{INT}, Job=${JOB}`,
  STARTRESTORE: `Start Restore Job ${JOB}`,
  USEDEVICE: 'Using Device "%{BACULA_DEVICE:device|[bacula][volume][device]}"',
  DIFF_FS: [
    '\\s+%{UNIXPATH} is a different filesystem. Will not descend from %{UNIXPATH} into it.',
    '\\s*%{UNIXPATH} is a different filesystem. Will not descend from %{UNIXPATH} into it.',
  ],
  JOBEND:
    'Job write elapsed time = %{DATA:elapsed|[bacula][job][elapsed_time]}, ' +
    'Transfer rate = %{NUMBER} [KMG]? Bytes/second',
  NOPRUNE_JOBS: 'No Jobs found to prune.',
  NOPRUNE_FILES: 'No Files found to prune.',
  VOLUME_PREVWRITTEN: [
    `Volume ${VOLUME} previously written, moving to end of data.`,
    'Volume "?%{BACULA_VOLUME:[bacula][volume][name]}"? previously written, moving to end of data.',
  ],
  READYAPPEND: `Ready to append to end of Volume ${VOLUME} size=%{INT:|[bacula][volume][size]:int}`,
  CANCELLING: 'Cancelling duplicate JobId=%{INT:|[bacula][job][other_id]}.',
  MARKCANCEL: `JobId %{INT:|[bacula][job][id]}, Job ${JOB} marked to be canceled.`,
  CLIENT_RBJ: 'shell command: run ClientRunBeforeJob "%{GREEDYDATA:runjob|[bacula][job][client_run_before_command]}"',
  VSS: '(?:Generate )?VSS (?:Writer)?',
  MAXSTART: fatal('Job canceled because max start delay time exceeded.'),
  DUPLICATE: fatal('JobId %{INT:duplicate|[bacula][job][other_id]} already running. Duplicate job not allowed.'),
  NOJOBSTAT: fatal('No Job status returned from FD.'),
  FATAL_CONN: [
    `Fatal error: bsock.c:133 Unable to connect to ${PEER[0]}`,
    `Fatal [eE]rror: bsock.c:133 Unable to connect to ${PEER[1]}`,
  ],
  NO_CONNECT: [
    `Warning: bsock.c:127 Could not connect to ${PEER[0]}`,
    `Warning: bsock.c:127 Could not connect to ${PEER[1]}`,
  ],
  NO_AUTH: [
    'Fatal error: Unable to authenticate with File daemon at %{DATA}. Possible causes:',
    'Fatal error: Unable to authenticate with File daemon at ' +
      '"?%{IPORHOST:[client][address]}(?::%{POSINT:[client][port]:int})?"?. Possible causes:',
  ],
  NOSUIT: 'No prior or suitable Full backup found in catalog. Doing FULL backup.',
  JOB: '(?:Error: )?Bacula %{BACULA_HOST} %{BACULA_VERSION} \\(%{BACULA_VERSION}\\):',
  NOPRIOR: 'No prior Full backup Job record found.',
}

const ANY_MESSAGE = anyOf(Object.keys(MESSAGES).map((name) => `BACULA_LOG_${name}`))

export const BACULA: PatternTable = {
  BACULA_TIMESTAMP: ['%{MONTHDAY}-%{MONTH} %{HOUR}:%{MINUTE}', '%{MONTHDAY}-%{MONTH}(?:-%{YEAR})? %{HOUR}:%{MINUTE}'],
  BACULA_HOST: ['[A-Za-z0-9-]+', '%{HOSTNAME}'],
  BACULA_VOLUME: '%{USER}',
  BACULA_DEVICE: '%{USER}',
  BACULA_DEVICEPATH: '%{UNIXPATH}',
  BACULA_CAPACITY: '%{INT}{1,3}(?:,%{INT}{3})*',
  BACULA_VERSION: '%{USER}',
  BACULA_JOB: '%{USER}',
  ...Object.fromEntries(Object.entries(MESSAGES).map(([name, text]) => [`BACULA_LOG_${name}`, text])),
  BACULA_LOG: [
    undefined,
    `%{BACULA_TIMESTAMP:timestamp} %{BACULA_HOST:[host][hostname]}(?: JobId %{INT:[bacula][job][id]})?:? ${ANY_MESSAGE}`,
  ],
  BACULA_LOGLINE: [
    `%{BACULA_TIMESTAMP:bts} %{BACULA_HOST:hostname}(?: JobId %{INT:jobid})?:? ${ANY_MESSAGE}`,
    '%{BACULA_LOG}',
  ],
}
