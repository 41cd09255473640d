/**
 * Scripts that try to escape from their sandbox or to exhaust the process. Every one must end with a script error.
 */

/** Names of the host that must be undefined in a script. */
const HOST_NAMES = [
  'globalThis', 'process', 'require', 'module', 'Function', 'eval', 'constructor', 'prototype', '__proto__', 'Symbol', 'Reflect',
  'Proxy', 'global', 'window', 'console', 'Buffer', 'setTimeout', 'Promise', 'WebAssembly', 'import', 'arguments', 'this',
  'Array', 'JSON', 'Error', 'RegExp', 'BigInt', 'R', 'K', 'E', 'F', 'C', 'v0', 'p', 'b', 't0', 'c0', 'f0', 'q0', 'C', 'Q', 'D', 'O', 'S', 'L', 'i', 'n', 'x',
] // biome-ignore format: a list

const nameAttempts = HOST_NAMES.flatMap((name) => [name, `${name}.constructor`, `${name}('return process')`])

/** Members of JavaScript objects, read from values of every kind. */
const MEMBERS = [
  'constructor',
  '__proto__',
  'prototype',
  'toJSON',
  'valueOf',
  'then',
  '__defineGetter__',
  '__lookupGetter__',
  'hasOwnProperty',
  'call',
  'apply',
  'bind',
]
const VALUES = [
  "'a'",
  '1',
  '1.5',
  '1L',
  'true',
  'new int[1]',
  'new StringBuilder()',
  "ZonedDateTime.parse('2024-01-01T00:00:00Z')",
]
const memberAttempts = MEMBERS.flatMap((member) =>
  VALUES.flatMap((value) => [`def x = ${value}; x.${member}`, `def x = ${value}; x.${member}()`]),
)

/** Reads through maps and lists, which must find only keys and indices. */
const containerAttempts = [
  ...MEMBERS.map((member) => `def x = [1]; x.${member}`),
  ...MEMBERS.map((member) => `def x = [1]; x.${member}('return 1')`),
  ...MEMBERS.map((member) => `def m = [:]; m.${member}()`),
  ...MEMBERS.map((member) => `def m = ['a': 1]; m.${member}.foo`),
  ...MEMBERS.map((member) => `params.${member}.foo`),
  "params['__proto__']['polluted'] = 1",
  'params.constructor.prototype.x = 1',
  "def m = [:]; m['__proto__'].x = 5",
]

const reflectionAttempts = [
  "'a'.getClass()", "'a'.class", 'String.class', 'Class.forName("x")', 'System.exit(0)', 'Runtime.getRuntime()', 'Thread.sleep(1)',
  'new Thread()', 'new File("/etc/passwd")', 'java.lang.System.getProperty("x")', 'java.lang.Runtime.getRuntime().exec("ls")',
  'new ProcessBuilder()', 'ClassLoader.getSystemClassLoader()', 'java.nio.file.Files.list(null)', "new URL('http://x')", 'String.getMethods()',
  "def x = 'a'; x.getClass()", "def x = 'a'; x.wait()", "def x = 'a'; x.notify()", 'Object.clone()', "def x = [1]; x.getClass().getName()",
  "''.toString.call()", 'Math.constructor', 'Math.floor.constructor', "String.fromCharCode(1)", "'a'.length.constructor", "`${1}`", "'\\u0041'",
  'new Function("return 1")', 'async () -> 1', 'import("fs")', '(() -> 1)()', 'x => 1', "'a'['constructor']", "[1]['constructor']", '/a/.constructor',
  "/a/.exec('a')", 'new Object().__proto__', 'Object.prototype', 'params.getClass()', "Debug.class",
] // biome-ignore format: a list

/**
 * Quotes, comments and line separators that could end a string literal of generated code. The result must be the text
 * itself.
 */
export const LITERALS = [
  "'\"'", "'\\\\'", "'\u2028'", "'\u2029'", "'*/'", "'//'", "'${process.exit(1)}'", "'`'", "'\\\\n'", "'\n'", "'</script>'", "'\"+process.exit(1)+\"'",
  "'\\\\\"+1+\\\\\"'", "'\0'", "'\ud800'",
] // biome-ignore format: a list

/** Endless loops, deep recursion, huge texts and collections, costly regular expressions. */
export const EXHAUSTION: readonly string[] = [
  'while (true) { int x = 1 }', 'for (;;) { }', 'int i = 0; do { i++ } while (true)', 'for (int i = 0; i < 2147483647; i++) { }',
  'for (int i = 0; i < 100000; i++) { for (int j = 0; j < 100000; j++) { } }',
  'int f(int n) { return f(n + 1) } f(0)', 'int f(int n) { return g(n) } int g(int n) { return f(n) } f(0)',
  'def f(def l) { l.add(l); return f(l) } f([])', 'int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2) } f(90)',
  "String s = 'a'; for (int i = 0; i < 100; i++) { s += s } s.length()", "String s = 'a'; while (true) { s = s + s }",
  "def s = 'a'; while (true) { s += s }", "StringBuilder b = new StringBuilder('x'); while (true) { b.append(b.toString()) }",
  "String s = 'aaaaaaaaaa'; for (int i = 0; i < 20; i++) { s = s.replace('a', 'aaaaaaaaaa') } s.length()",
  "String.format('%2000000000d', new def[] {1})", "String.format('%.2000000000f', new def[] {1.0})",
  'List l = []; while (true) { l.add(1) }', 'List l = [1]; while (true) { l.addAll(l) }', 'List l = [1]; for (int i = 0; i < 60; i++) { l.addAll(new ArrayList(l)) } l.size()',
  'Map m = [:]; int i = 0; while (true) { m.put(i++, i) }', 'Set s = new HashSet(); for (int i = 0; ; i++) { s.add(i) }',
  'new int[2147483647]', 'new int[100000000]', 'new int[10000][10000]', 'def[] a = new def[50000000]; a.length', 'List l = []; for (int i = 0; i < 1000; i++) { l.add(new int[1000000]) } l.size()',
  'Collections.nCopies(2147483647, 1).size()', 'IntStream.range(0, 2147483647).sum()', 'IntStream.range(0, 2147483647).boxed().collect(Collectors.toList())',
  'LongStream.range(0L, 9223372036854775807L).count()', "IntStream.range(0, 100000000).mapToObj(i -> 'x').collect(Collectors.joining())",
  'IntStream.range(0, 100000).forEach(i -> { for (int j = 0; j < 100000; j++) { int k = j } return null })',
  'def l = IntStream.range(0, 50000).boxed().collect(Collectors.toList()); l.forEach(x -> l.forEach(y -> l.forEach(z -> 1)))',
  'new BigInteger("9").pow(2147483647)', 'BigInteger.valueOf(2).shiftLeft(2147483647)', 'def b = BigInteger.valueOf(3); while (true) { b = b.multiply(b) }',
  "new BigDecimal('1E2000000000').toBigInteger()", "new BigDecimal('9').pow(999999999)", "new BigDecimal('1e1000000').add(new BigDecimal('1'))",
  "List l = []; l.add(l); l.hashCode()", 'Map m = [:]; m.a = m; m.hashCode()', "List l = []; for (int i = 0; i < 100000; i++) { l = [l] } l.toString()", 'List a = []; List b = [a]; a.add(b); a.equals(b)',
  "/(a+)+b/.matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa').matches()", "/(a|a)*b/.matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa').find()",
  "/(a*)*b/.matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa').matches()", "/(.*a){20}b/.matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa').matches()",
  "'x'.substring(-1)", 'int[] a = new int[1]; a[-5]', `${'('.repeat(5000)}1${')'.repeat(5000)}`, `${'-'.repeat(20000)}1`, `${'['.repeat(3000)}${']'.repeat(3000)}`, `${'!'.repeat(9000)}true`,
  'try { while (true) { int x = 1 } } catch (Exception e) { return 1 }', 'int f() { try { return f() } catch (Exception e) { return f() } } f()',
  "new BitSet().set(0, 2147483647); 1", "StringBuilder b = new StringBuilder(); b.setLength(2147483647); b.length()", "'a'.splitOnToken('').foo",
  "def x = [1, 2, 3]; while (true) { x.sort((a, b) -> 1) }", "Stream s = [1].stream(); for (int i = 0; i < 200000; i++) { s = s.map(x -> x) } s.count()",
] // biome-ignore format: a list

/** Scripts that try to reach the host. */
export const ESCAPES: readonly string[] = [
  ...nameAttempts,
  ...memberAttempts,
  ...containerAttempts,
  ...reflectionAttempts,
]
