/**
 * Random calls of the members that scripts may use: each constructor, method and static member with arguments of its types. Objects of
 * a class come from EXPRESSIONS, or from members that return it.
 */
import { type ApiMethod, apiClass, apiClassNames } from '../../src/engine/painless/api/api-lines.ts'
import { executeScript } from './execute.ts'
import { Randomness } from './random-scripts.ts'

export interface MemberCall {
  /** `String#indexOf/2`, `Math.abs/1`, `new BitSet/1`, `Integer.MAX_VALUE`. */
  readonly member: string
  readonly source: string
}

const ZONED = [
  "ZonedDateTime.parse('2020-02-29T13:14:15.678Z')",
  "ZonedDateTime.parse('2021-03-28T03:30:00+02:00[Europe/Berlin]')",
]
const DATES = ['LocalDate.of(2020,2,29)', 'LocalDate.of(-5,1,1)', 'LocalDate.ofEpochDay(18000L)']
const TREE = 'new TreeMap()'
const OBJECTS = ['1', "'a'", 'null', '2.5', '[1,2]', "['k':1]", '7L']

/** Expressions of a type. Large numbers are only given to the classes in EXTREME, because others would allocate as much. */
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  int: ['0', '1', '-1', '2', '3', '7', '31', '97', '1000', '-12', '128512'],
  long: ['0L', '1L', '-1L', '5L', '86400L', '-123456L'],
  short: ['(short)0', '(short)5', '(short)-300'],
  byte: ['(byte)0', '(byte)7', '(byte)-128'],
  char: ['(char)97', '(char)65', '(char)32', '(char)48', '(char)233', '(char)8364', '(char)55357', '(char)10'],
  float: ['0f', '1.5f', '-2.25f', '1e10f', 'Float.NaN'],
  double: ['0.0', '-0.0', '1.5', '-2.75', '1e10', '1e-7', '123456.789', 'Double.NaN', 'Double.POSITIVE_INFINITY'],
  boolean: ['true', 'false'],
  def: [...OBJECTS, "'b'", 'true'],
  'java.lang.Object': OBJECTS,
  'java.lang.String': ["''", "'abc'", "'Hello World'", "'a,b;c'", "'12'", "'ÄöÜß'", "'  x '", "'aXbXc'", "'2020-02-29'", "'-5'"],
  'java.lang.CharSequence': ["''", "'abc'", "'b'", "new StringBuilder('xyz')"],
  'java.lang.Comparable': ["'abc'", '5', '2.5'],
  'java.lang.Number': ['1', '2.5', '7L', '3f', '-1'],
  'java.lang.Iterable': ["['a','b']", 'new ArrayList()', "new HashSet(['z','y'])"],
  'java.util.Collection': ['[3,1,2]', '[]', "new HashSet(['a','b'])", 'new ArrayDeque([1,2])'],
  'java.util.List': ['[3,1,2]', '[]', "['b','a','c']", '[1,2.5,3L]', '[[1],[2]]', 'new LinkedList([5,6])', '[1,null,2]'],
  'java.util.Map': ["['a':1,'b':2]", '[:]', TREE, "new LinkedHashMap(['q':1,'p':2])", "['x':[1,2],'y':null]"],
  'java.util.Set': ["new HashSet(['a','b'])", 'new TreeSet()', 'new LinkedHashSet([3,1])'],
  'java.util.Map.Entry': ["['a':1].entrySet().iterator().next()", "new AbstractMap.SimpleEntry('k',2)"],
  'java.util.Comparator': ['Comparator.naturalOrder()', 'Collections.reverseOrder()', '(a,b) -> a.hashCode() - b.hashCode()'],
  'java.util.function.Function': ['x -> x', "x -> '' + x", 'x -> x.hashCode()'],
  'java.util.function.BiFunction': ['(a,b) -> a', "(a,b) -> '' + a + b"],
  'java.util.function.Predicate': ['x -> x != null', 'x -> x == 1', 'x -> true'],
  'java.util.function.BiPredicate': ['(a,b) -> a == b'],
  'java.util.function.Supplier': ['() -> 5', '() -> new ArrayList()'],
  'java.util.function.Consumer': ['x -> {}'],
  'java.util.function.BiConsumer': ['(a,b) -> {}'],
  'java.util.function.UnaryOperator': ['x -> x', "x -> '' + x"],
  'java.util.function.BinaryOperator': ['(a,b) -> a', '(a,b) -> a + b'],
  'java.util.function.ToIntFunction': ['x -> x.hashCode()'],
  'java.util.function.ToLongFunction': ['x -> (long) x.hashCode()'],
  'java.util.function.ToDoubleFunction': ['x -> (double) x.hashCode()'],
  'java.util.function.IntPredicate': ['i -> i > 1'],
  'java.util.function.IntFunction': ["i -> '' + i"],
  'java.util.function.IntUnaryOperator': ['i -> i * 2'],
  'java.util.function.IntBinaryOperator': ['(a,b) -> a + b'],
  'java.util.function.LongPredicate': ['i -> i > 1L'],
  'java.util.function.DoublePredicate': ['d -> d > 1'],
  'java.util.function.DoubleUnaryOperator': ['d -> d / 2'],
  'java.util.stream.Stream': ['[3,1,2].stream()', "['b','a'].stream()", '[].stream()'],
  'java.util.stream.IntStream': ['IntStream.range(0,5)', 'IntStream.of(3,1,2)', 'IntStream.empty()'],
  'java.util.stream.LongStream': ['LongStream.rangeClosed(1L,4L)'],
  'java.util.stream.DoubleStream': ['DoubleStream.of(1.5,2.5)'],
  'java.util.regex.Pattern': ['/a+b?/', '/(x)|(y)/', '/[0-9]+/'],
  'java.util.regex.Matcher': ["/a(b+)/.matcher('xabbay')", "/z/.matcher('abc')"],
  'java.util.Locale': ['Locale.ROOT', 'Locale.GERMANY', 'Locale.ENGLISH'],
  'int[]': ['new int[] {3,1,2}', 'new int[0]'],
  'def[]': ["new def[] {1,'a'}", 'new def[0]'],
  'java.lang.String[]': ["new String[] {'x','y'}"],
  'char[]': ["'abc'.toCharArray()"],
  'byte[]': ['new byte[] {1,2}'],
  'double[]': ['new double[] {1.5,2}'],
  'long[]': ['new long[] {1L,2L}'],
  'java.time.ZonedDateTime': ZONED,
  'java.time.LocalDate': DATES,
  'java.time.LocalTime': ['LocalTime.of(1,2,3)', 'LocalTime.MIDNIGHT', 'LocalTime.of(23,59,59,5)'],
  'java.time.LocalDateTime': ['LocalDateTime.of(2020,2,29,12,30)', 'LocalDateTime.of(1969,7,20,20,17,40,123)'],
  'java.time.Instant': ['Instant.ofEpochMilli(1582982055678L)', 'Instant.EPOCH'],
  'java.time.ZoneId': ["ZoneId.of('Europe/Berlin')", "ZoneId.of('UTC')", "ZoneId.of('+02:00')"],
  'java.time.ZoneOffset': ['ZoneOffset.UTC', 'ZoneOffset.ofHours(2)', "ZoneOffset.of('-03:30')"],
  'java.time.Duration': ['Duration.ofMillis(90061001L)', 'Duration.ofSeconds(-5L)'],
  'java.time.Period': ['Period.of(1,14,-3)', 'Period.ZERO'],
  'java.time.format.DateTimeFormatter': ['DateTimeFormatter.ISO_DATE', "DateTimeFormatter.ofPattern('yyyy/MM/dd')"],
  'java.time.temporal.TemporalUnit': ['ChronoUnit.DAYS', 'ChronoUnit.HOURS', 'ChronoUnit.MONTHS'],
  'java.time.temporal.TemporalField': ['ChronoField.YEAR', 'ChronoField.DAY_OF_WEEK', 'ChronoField.HOUR_OF_DAY', 'ChronoField.EPOCH_DAY'],
  'java.time.temporal.TemporalAmount': ['Duration.ofHours(5L)', 'Period.ofDays(3)'],
  'java.time.temporal.TemporalAccessor': [DATES[0]!, ZONED[0]!],
  'java.time.temporal.Temporal': [DATES[0]!, ZONED[0]!],
  'java.time.temporal.TemporalAdjuster': ['LocalTime.NOON', 'TemporalAdjusters.lastDayOfMonth()'],
  'java.time.temporal.TemporalQuery': ['TemporalQueries.zone()', 'TemporalQueries.localDate()'],
  'java.math.BigDecimal': ["new BigDecimal('1.50')", "new BigDecimal('-123.456')", 'BigDecimal.ZERO', "new BigDecimal('1e5')"],
  'java.math.BigInteger': ["new BigInteger('123456789012345678901')", 'BigInteger.TEN', "new BigInteger('-7')"],
  'java.lang.StringBuilder': ["new StringBuilder('hello')", 'new StringBuilder()'],
  'java.util.UUID': ["UUID.fromString('123e4567-e89b-42d3-a456-556642440000')"],
  'java.util.Optional': ['Optional.of(5)', 'Optional.empty()'],
  'java.util.Random': ['new Random(42L)'],
} // biome-ignore format: a table

const EXTREME = /^java\.(lang\.(Integer|Long|Short|Byte|Math|StrictMath|Float|Double|Character)$|time\.)/
const EXTREMES: Readonly<Record<string, readonly string[]>> = {
  int: ['Integer.MAX_VALUE', 'Integer.MIN_VALUE'],
  long: ['Long.MAX_VALUE', 'Long.MIN_VALUE', '1600000000000L'],
  double: ['Double.MAX_VALUE', '4.9e-324'],
  float: ['3.4e38f'],
}

/** Members whose results differ from call to call or from server to server. */
const UNSTABLE = /random|now|hashcode|currenttime|nanotime|systemdefault|availablezone|availablelocale/i
/** The pattern of a format with an empty pattern has 2^31 characters, of which an Elasticsearch dies. */
const DEADLY = /^DecimalFormat#to\w*Pattern/
const OBJECTS_MAX = 6
const EXPRESSION_MAX = 110

/** How a script returns a value of a type so that its contents show. */
function shown(type: string, value: string): string {
  if (type === 'java.util.stream.Stream') return `return ${value}.collect(Collectors.toList())`
  if (/^java\.util\.stream\.(Int|Long|Double)Stream$/.test(type))
    return `return ${value}.boxed().collect(Collectors.toList())`
  if (/Iterator$/.test(type)) return `def o = []; def it = ${value}; while (it.hasNext()) { o.add(it.next()) } return o`
  if (type.endsWith('[]')) return `def o = []; for (def q : ${value}) { o.add(q) } return o`
  if (type === 'java.util.stream.Collector') return `return ['b','a','cc','a'].stream().collect(${value})`
  if (type === 'java.util.Comparator') return `def l = ['b','a','c']; l.sort(${value}); return l`
  if (type === 'java.util.function.Predicate') return `Predicate f = ${value}; return f.test('abc') + ' ' + f.test(1)`
  return `return ${value}`
}

export class MemberCalls {
  readonly #random: Randomness
  readonly #expressions = new Map<string, readonly string[]>(Object.entries(EXPRESSIONS))
  #isExtreme = false

  constructor(seed: number) {
    this.#random = new Randomness(seed)
    // Objects of one class may be arguments of the members that return those of another.
    for (let round = 0; round < 3; round++) for (const name of apiClassNames()) this.#findObjects(name)
  }

  /** The classes of which no object was found. Their methods are not called. */
  get classesWithoutObjects(): string[] {
    return apiClassNames().filter((name) => !this.#expressions.has(name))
  }

  /** `count` calls of each member of the classes whose names contain a text. */
  *calls(count: number, classes = ''): Generator<MemberCall> {
    for (const name of apiClassNames()) {
      if (!name.includes(classes)) continue
      this.#isExtreme = EXTREME.test(name)
      const { shortName = name, methods, statics, constructors, staticFields } = apiClass(name)!
      const members: [string, () => string | undefined][] = [
        ...[...methods.values()].map(
          (m) => [`${shortName}#${m.name}/${m.params.length}`, () => this.#call(name, m)] as const,
        ),
        ...[...statics.values()].map(
          (m) => [`${shortName}.${m.name}/${m.params.length}`, () => this.#staticCall(name, m)] as const,
        ),
        ...[...constructors.values()].map(
          (m) => [`new ${shortName}/${m.params.length}`, () => this.#construction(name, m)] as const,
        ),
        ...[...staticFields.keys()].map(
          (field) => [`${shortName}.${field}`, () => `return ${shortName}.${field}`] as const,
        ),
      ].map(([member, make]) => [member, make])
      for (const [member, make] of members) {
        if (UNSTABLE.test(member) || DEADLY.test(member)) continue
        const sources = new Set<string>()
        for (let i = 0; i < count; i++) sources.add(make() ?? '')
        sources.delete('')
        for (const source of sources) yield { member, source }
      }
    }
  }

  #findObjects(name: string): void {
    if (this.#expressions.has(name)) return
    const found = new Set<string>()
    for (const make of this.#producers(name)) {
      for (let i = 0; i < 2 && found.size < OBJECTS_MAX; i++) {
        const expression = make()
        if (expression === undefined || expression.length > EXPRESSION_MAX || found.has(expression)) continue
        const { body } = executeScript({ script: { source: `def x = ${expression}; return x != null` } })
        if (body['result'] === 'true') found.add(expression)
      }
    }
    if (found.size > 0) this.#expressions.set(name, [...found])
  }

  *#producers(name: string): Generator<() => string | undefined> {
    const own = apiClass(name)!
    const shortName = own.shortName ?? name
    for (const field of own.staticFields.values()) if (field.type === name) yield () => `${shortName}.${field.name}`
    for (const made of own.constructors.values()) yield () => this.#newObject(name, made)
    for (const owner of apiClassNames()) {
      const { shortName: ownerName = owner, statics, methods } = apiClass(owner)!
      for (const method of statics.values()) {
        if (method.returns === name) yield () => this.#withArguments(`${ownerName}.${method.name}`, method)
      }
      if (owner === name) continue
      for (const method of methods.values()) {
        if (method.returns !== name || method.params.length > 1) continue
        yield () => {
          const object = this.#expression(owner)
          return object === undefined || object.includes('->')
            ? undefined
            : this.#withArguments(`(${object}).${method.name}`, method)
        }
      }
    }
  }

  #expression(type: string): string | undefined {
    const known = this.#expressions.get(type)
    if (known === undefined) return undefined
    const extremes = this.#isExtreme ? EXTREMES[type] : undefined
    return this.#random.pick(extremes === undefined ? known : [...known, ...extremes])
  }

  #withArguments(callee: string, { params }: ApiMethod): string | undefined {
    const values = params.map((type) => this.#expression(type))
    return values.includes(undefined) ? undefined : `${callee}(${values.join(', ')})`
  }

  #newObject(name: string, method: ApiMethod): string | undefined {
    return this.#withArguments(`new ${apiClass(name)!.shortName ?? name}`, method)
  }

  #construction(name: string, method: ApiMethod): string | undefined {
    const object = this.#newObject(name, method)
    return object && `return ${object}`
  }

  #staticCall(name: string, method: ApiMethod): string | undefined {
    const call = this.#withArguments(`${apiClass(name)!.shortName ?? name}.${method.name}`, method)
    if (call === undefined) return undefined
    return method.returns === 'void' ? `${call}; return 1` : shown(method.returns, call)
  }

  /** The type of the object is known to the compiler or not, which are two ways of finding the method. */
  #call(name: string, method: ApiMethod): string | undefined {
    const object = this.#expression(name)
    const call = this.#withArguments(`r.${method.name}`, method)
    if (object === undefined || call === undefined) return undefined
    const type = this.#random.below(2) === 0 && !object.includes('->') ? 'def' : (apiClass(name)!.shortName ?? name)
    const declared = `${type} r = ${object}; `
    return method.returns === 'void' ? `${declared}${call}; return r` : declared + shown(method.returns, call)
  }
}
