/**
 * Random Painless scripts from a seed: arithmetic of all widths, strings, collections, streams, dates, regexes, control
 * flow, errors.
 */

export class Randomness {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
}

type Make = (r: Randomness, depth: number) => string

const INTS = [
  '0',
  '1',
  '2',
  '3',
  '7',
  '10',
  '42',
  '100',
  '-1',
  '-5',
  '255',
  '65535',
  '2147483647',
  '-2147483648',
  '31',
  '1000003',
]
const LONGS = [
  '0L',
  '1L',
  '3L',
  '-7L',
  '10000000000L',
  '9223372036854775807L',
  '-9223372036854775808L',
  '4294967296L',
  '63L',
]
const DOUBLES = [
  '0.0',
  '1.5',
  '-2.25',
  '3.141592653589793',
  '1e10',
  '1e-5',
  '100.0',
  '0.1',
  '2.5',
  '-0.5',
  '123456.789',
  '1e300',
]
const FLOATS = ['0.5f', '1.1f', '-3.25f', '1e10f', '16777217f', '0.1f']
const STRINGS = [
  "'a'",
  "'abc'",
  "''",
  "'Hello World'",
  "'  trim me '",
  "'ÄÖÜ straße'",
  "'a,b,,c,'",
  "'12'",
  "'-7'",
  "'x=1;y=2'",
  "'2024-02-29'",
  "'banana'",
]

const wrapped = (code: string) => `(${code})`

const int: Make = (r, depth) => {
  if (depth <= 0) return r.pick(INTS)
  const a = () => wrapped(int(r, depth - 1))
  return r.pick<() => string>([
    () => r.pick(INTS),
    () => `${a()} ${r.pick(['+', '-', '*', '/', '%', '&', '|', '^'])} ${a()}`,
    () => `${a()} ${r.pick(['<<', '>>', '>>>'])} ${a()}`,
    () => `-${a()}`,
    () => `~${a()}`,
    () => `(int)${wrapped(r.pick([long, double, float])(r, depth - 1))}`,
    () => `(${r.pick(['byte', 'short', 'char'])})${a()}`,
    () =>
      `${wrapped(string(r, depth - 1))}.${r.pick(['length()', 'hashCode()', "indexOf('a')", "lastIndexOf('b')", "compareTo('abc')"])}`,
    () => `Integer.${r.pick(['max', 'min', 'compare'])}(${a()}, ${a()})`,
    () =>
      `Integer.${r.pick(['bitCount', 'reverse', 'highestOneBit', 'numberOfTrailingZeros', 'signum', 'numberOfLeadingZeros'])}(${a()})`,
    () => `(${bool(r, depth - 1)} ? ${a()} : ${a()})`,
    () => `${list(r, depth - 1)}.size()`,
  ])()
}

const long: Make = (r, depth) => {
  if (depth <= 0) return r.pick(LONGS)
  const a = () => wrapped(r.pick([long, int])(r, depth - 1))
  return r.pick<() => string>([
    () => r.pick(LONGS),
    () => `${wrapped(long(r, depth - 1))} ${r.pick(['+', '-', '*', '/', '%', '&', '|', '^'])} ${a()}`,
    () => `${wrapped(long(r, depth - 1))} ${r.pick(['<<', '>>', '>>>'])} ${wrapped(int(r, depth - 1))}`,
    () => `(long)${wrapped(r.pick([double, float, int])(r, depth - 1))}`,
    () => `Long.${r.pick(['max', 'min', 'sum'])}(${a()}, ${a()})`,
    () => `Math.round(${wrapped(double(r, depth - 1))})`,
    () => `Long.${r.pick(['reverse', 'highestOneBit', 'lowestOneBit', 'reverseBytes'])}(${a()})`,
  ])()
}

const double: Make = (r, depth) => {
  if (depth <= 0) return r.pick(DOUBLES)
  const a = () => wrapped(r.pick([double, int, long, float])(r, depth - 1))
  return r.pick<() => string>([
    () => r.pick(DOUBLES),
    () => `${wrapped(double(r, depth - 1))} ${r.pick(['+', '-', '*', '/', '%'])} ${a()}`,
    () => `Math.${r.pick(['abs', 'floor', 'ceil', 'sqrt', 'rint', 'signum', 'toRadians', 'ulp'])}(${a()})`,
    () => `Math.${r.pick(['max', 'min', 'copySign'])}(${a()}, ${a()})`,
    () => `(double)${a()}`,
  ])()
}

const float: Make = (r, depth) => {
  if (depth <= 0) return r.pick(FLOATS)
  return r.pick<() => string>([
    () => r.pick(FLOATS),
    () =>
      `${wrapped(float(r, depth - 1))} ${r.pick(['+', '-', '*', '/'])} ${wrapped(r.pick([float, int])(r, depth - 1))}`,
    () => `(float)${wrapped(r.pick([double, long, int])(r, depth - 1))}`,
  ])()
}

const number: Make = (r, depth) => r.pick([int, long, double, float])(r, depth)

const bool: Make = (r, depth) => {
  if (depth <= 0) return r.pick(['(1 < 2)', '(3 == 4)', '(2 >= 2)'])
  return r.pick<() => string>([
    () => `(${number(r, depth - 1)} ${r.pick(['<', '<=', '>', '>=', '==', '!='])} ${number(r, depth - 1)})`,
    () => `!${bool(r, depth - 1)}`,
    () => `(${bool(r, depth - 1)} ${r.pick(['&&', '||'])} ${bool(r, depth - 1)})`,
    () =>
      `${wrapped(string(r, depth - 1))}.${r.pick(["contains('a')", 'isEmpty()', "startsWith('a')", "endsWith('c')", "equalsIgnoreCase('ABC')"])}`,
    () => `(${string(r, depth - 1)} == ${string(r, depth - 1)})`,
    () => `${list(r, depth - 1)}.contains(${r.pick(['1', "'a'", '2L'])})`,
  ])()
}

const string: Make = (r, depth) => {
  if (depth <= 0) return r.pick(STRINGS)
  const s = () => wrapped(string(r, depth - 1))
  return r.pick<() => string>([
    () => r.pick(STRINGS),
    () => `${s()} + ${wrapped(r.pick([int, long, double, float, string, bool])(r, depth - 1))}`,
    () => `${s()}.${r.pick(['trim()', 'toUpperCase()', 'toLowerCase()', 'encodeBase64()'])}`,
    () => `${s()}.substring(${r.below(5)})`,
    () => `${s()}.substring(${r.below(3)}, ${r.below(6)})`,
    () => `${s()}.replace('a', ${r.pick(STRINGS)})`,
    () => `String.valueOf(${r.pick([number, string, list])(r, depth - 1)})`,
    () =>
      `${r.pick(['Integer.toHexString', 'Integer.toBinaryString', 'Integer.toString', 'Integer.toOctalString'])}(${int(r, depth - 1)})`,
    () => `String.join('-', ${s()}.splitOnToken(',') == null ? [] : ['x', ${string(r, depth - 1)}])`,
    () =>
      `String.format('%5d|%s|%.2f|%x', new def[] {${int(r, 0)}, ${string(r, 0)}, ${r.pick(DOUBLES)}, ${int(r, 0)}})`,
    () =>
      `new StringBuilder(${s()}).${r.pick(['reverse()', "append('!')", 'insert(0, 5)', 'deleteCharAt(0)'])}.toString()`,
  ])()
}

const list: Make = (r, depth) => {
  const size = r.below(5)
  const kind = r.pick([int, string, double, long, number])
  const items = Array.from({ length: size }, () => kind(r, depth > 1 ? 1 : 0))
  return `[${items.join(', ')}]`
}

const map: Make = (r, depth) => {
  const size = r.below(6) + 1
  const entries = Array.from({ length: size }, () => `${r.pick([string, int])(r, 0)}: ${number(r, depth > 1 ? 1 : 0)}`)
  return `[${entries.join(', ')}]`
}

const DEF_OPERATORS = ['+', '-', '*', '/', '%', '<', '>', '==', '!=', '&', '|', '^', '<<', '>>']

const dynamic: Make = (r, depth) => {
  const value = () => r.pick([int, long, double, float, string, bool, list, map])(r, depth - 1)
  return r.pick<() => string>([
    () => `def a = ${value()}; def b = ${value()}; a ${r.pick(DEF_OPERATORS)} b`,
    () => `def a = ${value()}; a ${r.pick(['+=', '-=', '*=', '/='])} ${number(r, 1)}; a`,
    () =>
      `def a = ${value()}; a.${r.pick(['size()', 'length()', 'toString()', 'hashCode()', 'isEmpty()', 'foo', 'foo()', 'length'])}`,
    () =>
      `def a = ${value()}; ${r.pick(['int', 'long', 'double', 'String', 'List', 'Map', 'boolean', 'float'])} b = a; b`,
    () =>
      `def a = ${value()}; ${r.pick(['int', 'long', 'double', 'byte', 'char', 'short'])} b = (${r.pick(['int', 'long', 'double', 'byte', 'char', 'short'])})a; b`,
    () => `def a = ${value()}; a[${r.pick(['0', '1', '-1', "'a'", '5'])}]`,
    () => `def a = ${value()}; ${r.pick(['-', '~', '!', '+'])}a`,
    () =>
      `def a = ${value()}; a instanceof ${r.pick(['String', 'List', 'Map', 'Integer', 'Number', 'Double', 'Comparable'])}`,
    () => `def a = ${value()}; a${r.pick(['++', '--'])}; a`,
  ])()
}

const collections: Make = (r, depth) =>
  r.pick<() => string>([
    () =>
      `List l = ${list(r, depth)}; l.${r.pick(["add('z')", 'remove(0)', 'add(0, 1)', 'sort(null)', 'clear()', 'set(0, 9)', 'subList(0, 1)', 'get(1)'])}; l`,
    () => `List l = ${list(r, depth)}; Collections.${r.pick(['reverse', 'sort'])}(l); l`,
    () => `List l = ${list(r, depth)}; Collections.${r.pick(['max', 'min'])}(l)`,
    () => map(r, depth),
    () =>
      `Map m = ${map(r, depth)}; m.${r.pick(['keySet()', 'values()', 'entrySet()', "get('a')", "containsKey('abc')", 'size()', "getOrDefault('q', 5)", "remove('a')", "put('n', 1)", 'hashCode()'])}`,
    () =>
      `Map m = ${map(r, depth)}; m.${r.pick(["computeIfAbsent('k', k -> 5)", "merge('a', 1, (x, y) -> x)", "compute('a', (k, v) -> v)", "putIfAbsent('b', 2)"])}; m`,
    () => `Set s = new ${r.pick(['HashSet', 'LinkedHashSet'])}(${list(r, depth)}); s.add(1); s`,
    () => `TreeMap m = new TreeMap(); for (x in ${list(r, depth)}) { m.put(x, x.toString()) } m`,
    () =>
      `def l = ${list(r, depth)}; l.${r.pick(['removeIf(x -> x == 1)', 'any(x -> x != null)', 'collect(x -> x + 1)', "join(',')", 'every(x -> x > 0)', 'find(x -> x == 2)', 'sum()', 'indexOf(1)', 'hashCode()', 'split(x -> x == 1)', 'groupBy(x -> x.toString().length())'])}`,
    () =>
      `Deque d = new ArrayDeque(); for (x in ${list(r, depth)}) { d.push(x) } d.${r.pick(['pop()', 'peekLast()', 'size()', 'pollFirst()', 'toString()'])}`,
    () => `int[] a = new int[] {${int(r, 1)}, ${int(r, 0)}, 3}; a[${r.pick(['0', '1', '2', '-1', '3'])}]`,
    () => `PriorityQueue q = new PriorityQueue(); for (x in ${list(r, depth)}) { q.add(x) } q`,
  ])()

const streams: Make = (r, depth) => {
  const source = `[${Array.from({ length: r.below(6) }, () => r.pick(INTS)).join(', ')}]`
  const steps = [
    'map(x -> x + 1)',
    'filter(x -> x % 2 == 0)',
    'sorted()',
    'distinct()',
    'limit(3)',
    'skip(1)',
    'map(x -> x * 2)',
    'sorted(Comparator.reverseOrder())',
    'peek(x -> x)',
    'map(String::valueOf)',
  ]
  const ends = [
    'collect(Collectors.toList())',
    'count()',
    'collect(Collectors.toSet())',
    "map(x -> x.toString()).collect(Collectors.joining(','))",
    'anyMatch(x -> x == 1)',
    'findFirst().orElse(-1)',
    'collect(Collectors.groupingBy(x -> x % 3))',
    'mapToInt(x -> x).sum()',
    'mapToDouble(x -> x).average().orElse(0)',
    'reduce(0, (a, b) -> a + b)',
    'collect(Collectors.partitioningBy(x -> x > 5))',
    'collect(Collectors.summingInt(x -> x))',
    'max(Comparator.naturalOrder()).get()',
    'mapToInt(x -> x).summaryStatistics().toString()',
    'collect(Collectors.averagingDouble(x -> x))',
    'collect(Collectors.toMap(x -> x, x -> 1, (a, b) -> a + b))',
  ]
  const chain = Array.from({ length: r.below(3) }, () => r.pick(steps)).join('.')
  const start = r.pick([
    `${source}.stream()`,
    `IntStream.range(${r.below(3)}, ${r.below(8)}).boxed()`,
    `def l = ${source}; l.stream()`,
  ])
  void depth
  return `${start}.${chain === '' ? '' : `${chain}.`}${r.pick(ends)}`
}

const DATES = [
  "'2024-02-29T10:15:30.123456789Z'",
  "'2023-12-31T23:59:59Z'",
  "'1969-07-20T20:17:40.5Z'",
  "'2024-03-31T01:30:00+01:00[Europe/Berlin]'",
  "'2000-01-01T00:00:00-05:00[America/New_York]'",
]
const UNITS = ['DAYS', 'HOURS', 'MINUTES', 'SECONDS', 'MILLIS', 'WEEKS', 'MONTHS', 'YEARS', 'NANOS']

const dates: Make = (r) => {
  const date = () => `ZonedDateTime.parse(${r.pick(DATES)})`
  const amount = () => r.pick(['1', '-3', '30', '365', '0', '13'])
  return r.pick<() => string>([
    () =>
      `${date()}.${r.pick(['getYear()', 'getMonthValue()', 'getDayOfWeek()', 'getDayOfYear()', 'getHour()', 'getNano()', 'toInstant()', 'toLocalDate()', 'toEpochSecond()', 'getMonth()', 'toString()', 'getOffset()', 'toLocalDateTime()', 'hashCode()'])}`,
    () =>
      `${date()}.${r.pick(['plus', 'minus'])}${r.pick(['Days', 'Hours', 'Months', 'Years', 'Weeks', 'Minutes', 'Seconds', 'Nanos'])}(${amount()}).toString()`,
    () => `${date()}.truncatedTo(ChronoUnit.${r.pick(UNITS)}).toString()`,
    () => `ChronoUnit.${r.pick(UNITS)}.between(${date()}, ${date()})`,
    () => `Duration.between(${date()}, ${date()}).toString()`,
    () =>
      `${date()}.format(DateTimeFormatter.ofPattern(${r.pick(["'yyyy-MM-dd'", "'HH:mm:ss.SSS'", "'EEEE d MMMM yyyy'", "'yyyy/DDD'", "'hh:mm a'", "'yyyy-MM-dd HH:mm:ss XXX'", "'MMM d, uuuu'", "'E, dd MMM yy'"])}))`,
    () =>
      `${date()}.withZoneSameInstant(ZoneId.of('${r.pick(['UTC', 'Europe/Paris', 'Asia/Tokyo', 'America/New_York', '+05:30'])}')).toString()`,
    () =>
      `LocalDate.of(${r.pick(['2024', '2023', '1900'])}, ${r.pick(['1', '2', '12', '13'])}, ${r.pick(['1', '28', '29', '30', '31'])}).${r.pick(['toString()', 'plusMonths(1).toString()', 'lengthOfMonth()', 'isLeapYear()', 'getDayOfWeek()', 'toEpochDay()', 'withDayOfMonth(1).toString()'])}`,
    () =>
      `Instant.ofEpochMilli(${r.pick(['0L', '1700000000123L', '-1L', '253402300799999L'])}).${r.pick(['toString()', 'toEpochMilli()', 'getNano()', 'plusSeconds(5).toString()', "atZone(ZoneId.of('Europe/Berlin')).toString()"])}`,
    () =>
      `Period.between(LocalDate.of(2024, 1, ${r.below(28) + 1}), LocalDate.of(${r.pick(['2024', '2025', '2020'])}, ${r.below(12) + 1}, ${r.below(28) + 1})).toString()`,
    () =>
      `${date()}.with(TemporalAdjusters.${r.pick(['firstDayOfMonth()', 'lastDayOfMonth()', 'next(DayOfWeek.MONDAY)', 'firstDayOfNextYear()', 'previousOrSame(DayOfWeek.SUNDAY)'])}).toString()`,
    () => `${date()}.${r.pick(['isBefore', 'isAfter', 'isEqual'])}(${date()})`,
    () =>
      `Duration.of${r.pick(['Hours', 'Minutes', 'Seconds', 'Millis', 'Days'])}(${r.pick(['1', '90', '-5', '1500', '86401'])}).${r.pick(['toString()', 'toMinutes()', 'plusSeconds(30).toString()', 'toMillis()', 'negated().toString()'])}`,
    () =>
      `LocalDateTime.parse('2024-05-06T07:08:09').${r.pick(['plusHours(20).toString()', 'getSecond()', 'toLocalTime().toString()', "atZone(ZoneId.of('UTC')).toString()", 'format(DateTimeFormatter.ISO_LOCAL_DATE)'])}`,
    () =>
      `${r.pick(['LocalDate', 'ZonedDateTime', 'Instant', 'LocalDateTime', 'Duration', 'LocalTime'])}.parse(${r.pick(["'nope'", "'2024-13-01'", "'2024-01-01'", "'2024-01-01T00:00:00'", "'PT5M'", "'12:30'", "'2024-01-01T00:00:00Z'"])}).toString()`,
  ])()
}

const PATTERNS = [
  '/a+/',
  '/[a-z]+/',
  '/(\\d+)-(\\d+)/',
  '/^\\w+/',
  '/b|c/',
  '/(?i)HELLO/',
  '/\\s+/',
  '/[^,]+/',
  '/x(?=1)/',
  '/(.)\\1/',
  '/a{2,3}/',
  '/o\\b/',
]

const regexes: Make = (r) => {
  const text = () => r.pick(STRINGS)
  const pattern = () => r.pick(PATTERNS)
  return r.pick<() => string>([
    () => `${text()} ${r.pick(['=~', '==~'])} ${pattern()}`,
    () =>
      `Matcher m = ${pattern()}.matcher(${text()}); if (m.find()) { return m.group(0) + m.start() + m.end() } return 'none'`,
    () => `${pattern()}.matcher(${text()}).replaceAll('<$0>')`,
    () =>
      `${pattern()}.matcher(${text()}).${r.pick(['matches()', 'lookingAt()', 'groupCount()', 'group(1)', 'find()'])}`,
    () => `${text()}.replaceAll(${pattern()}, m -> m.group().toUpperCase())`,
    () => `List l = []; for (s in ${pattern()}.split(${text()})) { l.add(s) } l`,
    () => `def c = 0; def m = ${pattern()}.matcher(${text()}); while (m.find()) { c++ } c`,
  ])()
}

const control: Make = (r, depth) =>
  r.pick<() => string>([
    () =>
      `int s = 0; for (int i = 0; i < ${r.below(20)}; i++) { if (i % ${r.below(3) + 1} == 0) { continue } s += ${int(r, 1)} } s`,
    () => `int i = ${r.below(5)}; while (i < 50) { i = i * 2 + 1; if (i > ${r.below(60)}) { break } } i`,
    () => `int i = 0; do { i += ${r.below(5) + 1} } while (i < ${r.below(30)}); i`,
    () =>
      `try { return ${number(r, depth)} } catch (${r.pick(['ArithmeticException', 'Exception', 'NullPointerException'])} e) { return e.getMessage() }`,
    () => `if (${bool(r, depth)}) { return ${string(r, 1)} } else { return ${number(r, 1)} }`,
    () => `int f(int a) { if (a <= 1) { return 1 } return a * f(a - 1) } f(${r.below(15)})`,
    () => `def f(def x, def y) { return x ${r.pick(['+', '-', '*'])} y } f(${number(r, 1)}, ${number(r, 1)})`,
    () => `String s = ''; for (c in ${string(r, 1)}.toCharArray()) { s = c + s } s`,
    () => `def x = ${r.pick(['null', string(r, 1), int(r, 1)])}; x ?: 'default'`,
    () => `def x = ${r.pick(['null', map(r, 1)])}; x?.size()`,
    () => `long t = 0; for (x in ${list(r, 1)}) { t += ${r.pick(['x', '1', '(long)x'])} } t`,
    () =>
      `throw new ${r.pick(['IllegalArgumentException', 'RuntimeException', 'Exception', 'IllegalStateException'])}(${string(r, 1)})`,
  ])()

const errors: Make = (r, depth) =>
  r.pick<() => string>([
    () => `int x = ${string(r, 0)}`,
    () => `${string(r, 0)}.${r.pick(['foo()', 'nofield', 'substring(100)', 'charAt(99)'])}`,
    () => `Integer.parseInt(${string(r, 1)})`,
    () => `[1, 2].${r.pick(['get(5)', 'foo()', 'remove(9)', 'subList(3, 1)'])}`,
    () => `${number(r, 1)} ${r.pick(['+', '<<', '&', '-'])} ${r.pick(['true', "'x'", 'null', '1.5'])}`,
    () => `Double.parseDouble(${string(r, 1)})`,
    () => `String s = null; s.${r.pick(['length()', 'trim()', "contains('a')"])}`,
    () => `int ${r.pick(['x', 'String', 'if'])} = ${r.pick(['1', '1.5', 'null', "'a'"])}; ${r.pick(['x', 'y'])}`,
    () => `${bool(r, depth)}; 5`,
    () => `def x = 5; x.y.z`,
    () =>
      `${r.pick(['Optional.empty().get()', 'new ArrayDeque().pop()', 'new int[-1]', '[].iterator().next()', 'Objects.requireNonNull(null)', 'DayOfWeek.of(9)', "Locale.forLanguageTag('de').toString()"])}`,
    () => `${string(r, 0)} ${r.pick(['(', ')', '+', '}', ']', ';;', 'x'])}`,
  ])()

const FAMILIES: readonly Make[] = [
  number,
  int,
  long,
  double,
  float,
  string,
  string,
  bool,
  dynamic,
  dynamic,
  collections,
  collections,
  streams,
  dates,
  dates,
  regexes,
  control,
  control,
  errors,
]

/** The scripts of a seed. */
export function randomScripts(seed: number, count: number): string[] {
  const r = new Randomness(seed)
  return Array.from({ length: count }, () => r.pick(FAMILIES)(r, 1 + r.below(3)))
}
