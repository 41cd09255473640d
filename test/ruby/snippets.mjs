/**
 * Random snippets of Ruby: expressions built from literals and methods by kind, some with values of the wrong kind, some with statements.
 *   node test/ruby/snippets.mjs COUNT SEED   prints a JSON array of texts
 */
const [, , countText = '2500', seedText = '7'] = process.argv
let s = Number(seedText) >>> 0
const rnd = () => {
  s |= 0
  s = (s + 0x6d2b79f5) | 0
  let t = Math.imul(s ^ (s >>> 15), 1 | s)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
const pick = (l) => l[Math.floor(rnd() * l.length)]
const n = (a, b) => a + Math.floor(rnd() * (b - a + 1))
const rep = (k, f) => Array.from({ length: k }, f)
const WORDS = [
  '"hello"',
  '"Foo Bar"',
  '"a,b,,c"',
  '""',
  '" pad "',
  '"42"',
  '"3.14xyz"',
  '"ÄÖ é"',
  '"x=1&y=2"',
  '"line1\\nline2\\n"',
  '"aAbB12"',
  '"日本"',
  '"%d items"',
  '"0x1f"',
  '"-17"',
  '"a-b_c.d"',
  "'it''s'",
  '"TRUE"',
  '"2024-05-17"',
  '"10.0.0.1"',
]
const lit = {
  int: () =>
    String(pick([0, 1, -1, 2, 3, 7, 10, 42, -13, 100, 255, 1000, 65536, '2**31', '2**53', '2**64', '-(2**40)'])),
  float: () => pick(['0.0', '1.5', '-2.5', '3.14159', '100.0', '1e10', '0.1', '-0.001', '2.675', '1e-7', '12345.6789']),
  str: () => pick(WORDS),
  sym: () => pick([':a', ':foo', ':"x y"', ':b?', ':upcase']),
  bool: () => pick(['true', 'false', 'nil']),
  arr: () =>
    pick([
      '[]',
      '[1, 2, 3]',
      '[3, 1, 2, 2]',
      '["b", "a", "c"]',
      '[nil, 1, nil]',
      '[[1, 2], [3, 4]]',
      '[1, [2, [3, nil]]]',
      '%w[x y z]',
      '[1.5, 2, 3.5]',
      '["a", :b, 3]',
      '(1..6).to_a',
      '[0, -5, 9]',
      '[["k", 1], ["l", 2]]',
    ]),
  hash: () =>
    pick([
      '{}',
      '{ a: 1, b: 2 }',
      '{ "x" => 1, "y" => [2] }',
      '{ 1 => "one", nil => 0 }',
      '{ a: { b: { c: 3 } } }',
      '{ "k" => nil, "z" => false }',
      '{ b: 3, a: 1, c: 2 }',
    ]),
  range: () => pick(['(1..5)', '(1...4)', '("a".."d")', '(0..0)', '(5..1)', '(-3..3)', '(1..10).step(3)']),
}
const blk = {
  int1: () =>
    pick([
      '{ |x| x + 1 }',
      '{ |x| x * 2 }',
      '{ |x| x.to_s }',
      '{ |x| -x }',
      '{ |x| x.even? }',
      '{ |x| x > 1 }',
      '{ |x| x }',
      '{ |x| [x, x] }',
      '{ |x| x.nil? }',
      '{ |x| x.to_s.length }',
      '{ _1 }',
      '{ |x| next 0 if x.nil?; x }',
      '{ |x| x.inspect }',
      '{ |x| x.hash == x.hash }',
      '{ |x| x.is_a?(Integer) }',
    ]),
  pair: () =>
    pick([
      '{ |k, v| v }',
      '{ |k, v| [k.to_s, v] }',
      '{ |k, v| v.nil? }',
      '{ |k, v| k.to_s }',
      '{ |k, v| v.to_s }',
      '{ |k, v| v.is_a?(Integer) && v > 1 }',
      '{ |kv| kv }',
      '{ |k, _| k.inspect }',
    ]),
}
const I = (d) => E('int', d),
  F = (d) => E('float', d),
  S = (d) => E('str', d),
  A = (d) => E('arr', d),
  H = (d) => E('hash', d)
const m = {
  int: [
    (d) => `(${I(d)} ${pick(['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>'])} ${pick([I, I, I, F])(d)})`,
    (d) =>
      `${I(d)}.${pick(['abs', 'succ', 'pred', 'to_s', 'to_f', 'even?', 'odd?', 'zero?', 'bit_length', 'hash.class', 'chr', 'digits', '-@', 'to_i', 'size', 'positive?', 'nonzero?', 'ord', 'floor', 'integer?', 'to_r', 'inspect', '~', 'dup', 'frozen?', 'class'])}`,
    (d) =>
      `${I(d)}.${pick(['divmod', 'fdiv', 'gcd', 'lcm', 'pow', 'remainder', 'div', '<=>', '==', 'eql?', 'equal?', 'modulo', 'coerce', '>', '<='])}(${pick([() => I(0), () => I(0), () => F(0), () => any(0)])()})`,
    (d) => `${I(d)}.round(${pick([-1, -2, 0, 1])})`,
    (d) => `${I(d)}.to_s(${pick([2, 8, 16, 36])})`,
    (d) => `${I(d)}.clamp(${n(-5, 5)}, ${n(6, 60)})`,
    (d) => `${I(d)}.between?(${n(-9, 9)}, ${n(10, 99)})`,
    () => `${n(0, 6)}.times.${pick(['to_a', 'map { |i| i * i }', 'sum', 'select(&:even?)'])}`,
    () => `${n(1, 5)}.upto(${n(3, 9)}).to_a`,
    () => `${n(1, 12)} ** ${n(0, 30)}`,
    (d) => `[${I(d)}, ${I(d)}].${pick(['max', 'min', 'sum', 'minmax', 'sort'])}`,
    () => `${n(0, 3000)}[${n(0, 12)}]`,
  ],
  float: [
    (d) => `(${F(d)} ${pick(['+', '-', '*', '/', '%', '**'])} ${pick([I, F])(d)})`,
    (d) =>
      `${F(d)}.${pick(['floor', 'ceil', 'round', 'truncate', 'abs', 'to_i', 'to_s', 'nan?', 'infinite?', 'zero?', 'inspect', 'to_r', 'class', 'negative?', '-@'])}`,
    (d) => `${F(d)}.${pick(['round', 'floor', 'ceil', 'truncate'])}(${n(-2, 4)})`,
    (d) =>
      `${F(d)}.${pick(['divmod', 'div', '<=>', '==', 'eql?', 'modulo', 'quo', '<'])}(${pick([() => I(0), () => F(0), () => any(0)])()})`,
    (d) => `Math.${pick(['sqrt', 'cbrt', 'atan'])}(${F(d)}).round(6)`,
  ],
  str: [
    (d) =>
      `${S(d)}.${pick(['upcase', 'downcase', 'capitalize', 'swapcase', 'reverse', 'length', 'strip', 'lstrip', 'rstrip', 'chomp', 'chop', 'chars', 'bytes', 'lines', 'to_i', 'to_f', 'to_sym', 'empty?', 'inspect', 'hex', 'oct', 'succ', 'squeeze', 'split', 'ord', 'sum', 'bytesize', 'ascii_only?', 'codepoints', 'to_s', 'dump', 'hash.class', 'encoding', 'valid_encoding?', 'frozen?', 'each_char.to_a', 'upcase!', 'strip!', 'chomp!', 'squeeze!', 'class', 'unpack("C*")', 'to_r', 'next', 'intern'])}`,
    (d) =>
      `${S(d)}.${pick(['include?', 'start_with?', 'end_with?', 'index', 'rindex', 'count', 'delete', '+', '<=>', '==', 'casecmp', 'casecmp?', 'split', 'partition', 'rpartition', 'concat', 'prepend', 'eql?', 'delete_prefix', 'delete_suffix', 'chomp', 'squeeze', 'match?', 'scan'])}(${pick([() => lit.str(), () => pick(['"a"', '"l"', '","', '" "', '"o"', '"-"', '"1"', '"a-z"', '"^a-z"']), () => any(0)])()})`,
    (d) =>
      `${S(d)}[${pick([() => n(-6, 8), () => `${n(-6, 6)}, ${n(0, 5)}`, () => `${n(-5, 4)}..${n(-4, 6)}`, () => `${n(0, 4)}...${n(-3, 6)}`, () => pick(['/[a-z]+/', '/\\d+/', '/(\\w)(\\w)/, 2', '/x/', '"l"', '/\\A./', '/.\\z/'])])()}]`,
    (d) =>
      `${S(d)}.${pick(['sub', 'gsub'])}(${pick(['/[aeiou]/', '/l+/', '"a"', '/(\\w)(\\w)/', '/\\s+/', '/\\d/', '/./', '/^/', '/[^a-z]/i', '/x|y/', '/\\b/', '""'])}, ${pick(['"X"', '"<\\\\0>"', '"\\\\2\\\\1"', '""', "'[\\1]'"])})`,
    (d) =>
      `${S(d)}.gsub(${pick(['/[a-c]/', '/\\d+/', '/\\w+/'])}) { |m| ${pick(['m.upcase', 'm * 2', 'm.length.to_s', '"(#{m})"', '$~[0].reverse'])} }`,
    (d) => `${S(d)}.scan(${pick(['/\\w/', '/\\d+/', '/(.)(.)/', '/[aeiou]/', '"a"', '/\\w+/', '/./m'])})`,
    (d) =>
      `${S(d)}.split(${pick(['","', '""', '/,\\s*/', '/(,)/', '", "', '"a"', '/\\s/', '" ", 2', '",", -1', '/[-_.]/', '//', 'nil', '"=", 2'])})`,
    (d) =>
      `${S(d)}.tr(${pick(['"a-y", "b-z"', '"aeiou", "*"', '"^a-z", "_"', '"lo", "01"', '"a-zA-Z", "A-Za-z"', '" ", ""'])})`,
    (d) => `${S(d)}.${pick(['center', 'ljust', 'rjust'])}(${n(0, 12)}${pick(['', ', "*"', ', "ab"'])})`,
    (d) => `(${S(d)} * ${n(0, 3)})`,
    (d) => `"#{${any(d)}}-#{${any(d)}}"`,
    () =>
      `format(${pick(['"%05d"', '"%x"', '"%+d"', '"%-6d|"', '"%b"', '"%o"', '"%e"', '"%.2f"', '"%8.3f"', '"%s"', '"%p"', '"%c"', '"%g"', '"%08.2f"', '"%#x"', '"% d"', '"%.3s"', '"%10s|"'])}, ${pick([() => I(0), () => F(0), () => S(0), () => any(0)])()})`,
    (d) => `${S(d)} =~ ${pick(['/l/', '/\\d/', '/^l/', '/(?<a>b)/', '/z$/', '/B/i'])}`,
    (d) =>
      `${S(d)}.match(${pick(['/(\\w)(\\w+)/', '/(?<n>\\d+)/', '/q/'])})&.${pick(['captures', 'to_a', 'pre_match', 'post_match', 'named_captures', 'begin(0)', 'end(0)', 'names', 'to_s', 'offset(0)', 'size'])}`,
    (d) => `${S(d)}.insert(${n(-4, 4)}, "Z")`,
    (d) => `${S(d)}.unpack1(${pick(['"H*"', '"a3"', '"B8"', '"N"', '"C"', '"U*"'])})`,
    (d) =>
      `${S(d)}.encode(${pick(['"UTF-16LE"', '"ISO-8859-1", undef: :replace', '"US-ASCII", invalid: :replace, undef: :replace'])}).bytes`,
    (d) => `[${S(d)}].pack(${pick(['"m0"', '"A10"', '"a3"', '"H*"', '"m"'])})`,
    (d) => `s = ${S(d)}.dup; s[${pick(['0', '1..2', '-1', '0, 2', '/[a-z]/'])}] = "Q"; s`,
    (d) => `s = ${S(d)}.dup; [s.slice!(${pick(['0', '1..2', '/\\w/', '"a"', '0, 3'])}), s]`,
    (d) => `${S(d)}.each_char.with_index.map { |c, i| c * i }.join`,
    (d) => `${S(d)}.to_i(${pick([2, 8, 16, 10])})`,
    (d) => `Integer(${S(d)})`,
    (d) => `Float(${S(d)})`,
    (d) => `${S(d)}.sub(/(?<w>\\w+)/, '<\\k<w>>')`,
  ],
  arr: [
    (d) =>
      `${A(d)}.${pick(['size', 'first', 'last', 'reverse', 'sort', 'uniq', 'compact', 'flatten', 'max', 'min', 'sum', 'to_a', 'inspect', 'empty?', 'any?', 'all?', 'none?', 'one?', 'tally', 'join', 'rotate', 'minmax', 'each_slice(2).to_a', 'each_cons(2).to_a', 'each_with_index.to_a', 'transpose', 'to_h', 'pop', 'shift', 'cycle.first(4)', 'combination(2).to_a', 'permutation(2).count', 'hash.class', 'dup', 'frozen?', 'count', 'entries', 'compact!', 'uniq!', 'flatten!', 'to_s', 'lazy.map(&:to_s).to_a', 'each_entry.to_a', 'product', 'reduce(:+)', 'inject { |a, b| b }', 'to_set', 'class', 'sort.reverse', 'zip', 'pack("C*")'])}`,
    (d) =>
      `${A(d)}.${pick(['map', 'select', 'reject', 'find', 'partition', 'group_by', 'each_with_index.map', 'flat_map', 'sort_by', 'min_by', 'max_by', 'sum', 'count', 'any?', 'all?', 'none?', 'take_while', 'drop_while', 'find_index', 'filter_map', 'uniq', 'each', 'collect', 'detect', 'chunk_while', 'index', 'delete_if', 'keep_if', 'map!', 'reject!', 'select!', 'each_with_object([])', 'each_entry', 'one?', 'minmax_by', 'to_h', 'zip([1, 2])', 'tally', 'cycle(1)', 'each_slice(2)', 'reverse_each', 'partition', 'sort_by!', 'inject', 'sum(0.0)', 'bsearch'])} ${blk.int1()}`,
    (d) =>
      `${A(d)}.${pick(['first', 'last', 'take', 'drop', 'rotate', 'sample(0) || ', 'fetch', 'at', 'delete_at', 'include?', 'index', 'delete', 'push', 'unshift', 'count', 'dig', 'join', '<<', 'flatten', 'cycle', 'min', 'max', 'values_at', 'member?', 'append', 'concat', '+', '-', '&', '|', '<=>', '==', '*', 'zip', 'union', 'difference', 'intersection', 'insert', 'each_slice', 'product', 'assoc', 'fill', 'pop', 'shift'].filter((x) => !x.includes('||') && x !== 'cycle'))}(${pick([() => I(0), () => n(0, 4), () => any(0), () => lit.arr()])()})`,
    (d) =>
      `${A(d)}[${pick([() => n(-4, 5), () => `${n(-3, 4)}, ${n(0, 3)}`, () => `${n(-3, 3)}..${n(-3, 4)}`, () => `${n(0, 2)}..`])()}]`,
    (d) => `a = ${A(d)}; a[${n(-2, 5)}${pick(['', '', ', 2'])}] = ${any(0)}; a`,
    (d) =>
      `${A(d)}.inject${pick(['(:+)', '(0) { |s, x| s + x.to_i }', ' { |a, b| [a, b] }', '("") { |s, x| s + x.to_s }'])}`,
    (d) => `[${rep(n(0, 4), () => any(d)).join(', ')}]`,
    (d) => `a, *b = ${A(d)}; [a, b]`,
    (d) => `*a, b = *${A(d)}; [a, b]`,
    (d) => `a, (b, c), d = ${A(d)}; [a, b, c, d]`,
    (d) => `${A(d)}.each_with_object({}) { |x, h| h[x] = x.to_s }`,
    (d) => `${A(d)}.each_with_index.to_h { |x, i| [i, x] }`,
    (d) => `${A(d)}.sort { |a, b| b <=> a }`,
    (d) => `${A(d)}.slice_when { |a, b| a != b }.to_a`,
    (d) => `Array(${any(d)})`,
    (d) =>
      `${A(d)}.map(&${pick([':to_s', ':inspect', ':nil?', ':class', ':succ', ':upcase'])}).${pick(['size', 'first', 'compact', 'tally.size'])}`,
  ],
  hash: [
    (d) =>
      `${H(d)}.${pick(['keys', 'values', 'size', 'to_a', 'invert', 'empty?', 'inspect', 'sort_by { |k, v| v.to_s }', 'min_by { |k, v| v.to_s }', 'compact', 'any?', 'first', 'sum { |k, v| v.to_i rescue 0 }', 'to_s', 'length', 'each_with_index.to_a', 'sort rescue "x"', 'max_by { |_, v| v.to_s }', 'count', 'flatten', 'transform_values(&:to_s)', 'transform_keys(&:to_s)', 'entries', 'to_h', 'class', 'each_pair.to_a', 'default', 'zip([1])', 'shift', 'clear', 'keys.map(&:to_s).sort'])}`,
    (d) =>
      `${H(d)}.${pick(['map', 'select', 'reject', 'find', 'partition', 'group_by', 'any?', 'all?', 'count', 'sort_by', 'flat_map', 'each', 'filter_map', 'min_by', 'delete_if', 'keep_if', 'find_all', 'each_with_index', 'sum', 'detect', 'none?', 'to_h', 'max_by', 'collect', 'uniq', 'take_while', 'each_entry', 'reduce', 'filter', 'reject!', 'select!', 'zip', 'each_slice(1).map', 'each_with_object([])'])} ${blk.pair()}`,
    (d) =>
      `${H(d)}.${pick(['fetch', 'key?', 'dig', 'delete', 'value?', 'key', 'values_at', 'slice', 'except', '[]', 'include?', 'has_value?', 'assoc', 'merge', '==', 'member?', 'store'])}(${pick([() => pick([':a', ':b', '"x"', '1', 'nil', '"k"']), () => any(0)])()})`,
    (d) => `${H(d)}.merge(${H(d)})${pick(['', ' { |k, a, b| [a, b] }'])}`,
    (d) => `h = ${H(d)}; h[${any(0)}] = ${any(0)}; h`,
    (_d) => `h = Hash.new(${lit.int()}); h[:z]; h[:y] += 1; [h, h[:q]]`,
    (_d) => `h = Hash.new { |hh, k| hh[k] = k.to_s }; h[${any(0)}]; h`,
    (d) => `${H(d)}.each_with_object([]) { |(k, v), a| a << k << v }`,
    (d) => `${H(d)}.reduce([]) { |a, (k, v)| a + [k] }`,
    (d) => `{ ${pick(['a', 'b', 'q'])}: ${any(d)}, "s" => ${any(d)}, **${H(0)} }`,
  ],
  range: [
    (_d) =>
      `${lit.range()}.${pick(['to_a', 'sum', 'map { |x| x }', 'include?(3)', 'first(2)', 'each_slice(2).to_a', 'reduce(:+)', 'size', 'count', 'min', 'max', 'inspect', 'to_s', 'step(2).to_a', 'each_cons(2).to_a', 'select { |x| x.to_s > "2" }', 'reverse_each.first(2)', 'last', 'minmax', 'each_with_index.to_a', 'zip([1])', 'cover?(2)', 'tally', 'include?("b")', 'to_set.size', 'inject { |a, b| a }', 'partition { |x| x.to_s < "2" }', 'entries', 'group_by(&:class)', 'hash.class', 'class'])}`,
  ],
  stmt: [
    (d) =>
      `x = ${any(d)}; y = ${any(d)}; ${pick(['x == y', '[x, y]', 'x.eql?(y)', 'x.nil? ? y : x', '(x && y)', '(x || y)', 'x.class == y.class', 'x <=> y', 'x === y', 'x.to_s + y.to_s', 'y.to_s * 2', '[x, y].inspect.length', 'x.frozen?', 'x.is_a?(Comparable)', 'x.respond_to?(:each)', '[x].include?(y)', '{ x => y }', 'x.to_s <=> y.to_s', '!x', 'x != y', 'x.hash == y.hash'])}`,
    (d) =>
      `case ${any(d)} when Integer then 1 when String, Symbol then 2 when nil then 3 when Array then 4 when Hash then 5 when 0.0..9.9 then 6 else 7 end`,
    (d) =>
      `begin; ${any(d)}; rescue ${pick(['NoMethodError', 'TypeError', 'ArgumentError', 'StandardError', 'ZeroDivisionError', 'KeyError, IndexError'])} => e; e.class.name; ${pick(['', 'else; :fine; ', 'ensure; 5; '])}end`,
    (_d) =>
      `def mm(a, b = ${lit.int()}, *c, k: 1, **o); [a, b, c, k, o]; end; mm(${pick(['1', '1, 2', '1, 2, 3', '*[1, 2, 3, 4]', '1, k: 5', '1, z: 2', '', '1, { "s" => 1 }', '1, **{ k: 2, y: 3 }'])})`,
    (_d) => `l = ->(a, b = 2) { [a, b] }; l.call(${pick(['1', '1, 2', '', '1, 2, 3', '[1, 2]'])})`,
    (_d) =>
      `pr = proc { |a, b = 5, *c| [a, b, c] }; pr.call(${pick(['1', '1, 2', '', '[1, 2, 3]', '[[1, 2]]', 'nil', '1, 2, 3'])})`,
    (_d) =>
      `i = 0; r = []; while i < ${n(1, 7)}; i += 1; ${pick(['next if i.odd?', 'break if i > 4', 'r << i * 2', ''])}; r << i; end; [i, r]`,
    (d) => `r = ${A(d)}.each { |x| break x if ${pick(['x.nil?', 'x == 2', 'false', 'x.is_a?(String)'])} }; r`,
    (d) =>
      `${any(d)}.${pick(['to_s', 'inspect', 'class', 'nil?', 'hash.class', 'to_a', 'to_i', 'to_f', 'to_sym', 'dup', 'freeze.frozen?', 'itself', 'then { |x| x }', 'instance_variables', 'is_a?(Object)', 'to_json', 'size', 'length', 'empty?', 'reverse', 'first', 'abs', 'upcase', 'keys', 'each', 'succ', 'to_str', 'to_ary', 'to_h', 'min', 'sum', 'chars', 'zero?'])}`,
    (d) =>
      `[${any(d)}, ${any(d)}].${pick(['sort', 'max', 'uniq', 'sum', 'inspect', 'flatten', 'compact', 'min', 'join("-")', 'to_h'])}`,
    (d) =>
      `a = ${any(d)}; b = a.dup; ${pick(['b << 1', 'b.upcase!', 'b.clear', 'b.push(9)', 'b[0] = 1', 'b.concat([1])'])} rescue 0; [a, b]`,
    (d) => `x = nil; x ||= ${any(d)}; x &&= x; x&.to_s`,
    (d) => `JSON.generate(${pick([A, H])(d)})`,
    (d) => `JSON.parse(JSON.generate(${pick([A, H])(d)}))`,
    (_d) =>
      `Time.at(${I(0)}).utc.strftime(${pick(['"%F %T"', '"%j %U %a"', '"%d/%b/%Y:%H:%M:%S %z"', '"%s %L"', '"%I %p %y"'])})`,
    (d) => `Digest::${pick(['MD5', 'SHA1', 'SHA256'])}.hexdigest(${S(d)})`,
    (d) => `Base64.${pick(['encode64', 'strict_encode64', 'urlsafe_encode64', 'decode64'])}(${S(d)})`,
    (d) => `CGI.${pick(['escape', 'unescape', 'escapeHTML'])}(${S(d)})`,
    (d) =>
      `Set.new(${A(d)}).${pick(['size', 'to_a', 'include?(1)', 'inspect', 'add(5).size', 'subset?(Set[1, 2, 3])'])}`,
    (_d) => `catch(:t) { ${A(0)}.each { |x| throw :t, x if x }; :none }`,
    (d) => `${pick(['Integer', 'Float', 'String', 'Array', 'Rational'])}(${any(d)})`,
    (d) => `if ${any(d)} then 1 elsif ${any(d)} then 2 else 3 end`,
    (d) => `unless ${any(d)}; "no"; else; "yes"; end`,
    (d) => `${H(d)} => {${pick(['a:', '**r', 'a: Integer'])}} rescue "nomatch"`,
    (_d) => `${I(0)}.step(${I(0)}, ${n(1, 9)}).first(3)`,
    (_d) =>
      `Date.new(${n(1990, 2030)}, ${n(1, 12)}, ${n(1, 31)}).${pick(['to_s', 'yday', 'cweek', 'wday', 'leap?', 'strftime("%d %B %Y")', '>>(1).to_s', '+(30)  .to_s', 'next_month.to_s', 'jd', 'saturday?', 'prev_day.to_s'])}`,
  ],
}
function E(kind, depth) {
  if (depth <= 0 || rnd() < 0.35) return rnd() < 0.97 ? lit[kind]() : lit[pick(Object.keys(lit))]()
  const same = m[kind]
  if (rnd() < 0.5) return lit[kind]()
  const e = pick(same)(depth - 1)
  return /;|^\*|^a, /.test(e) ? lit[kind]() : `(${e})`
}
function any(depth) {
  return E(
    pick(
      ['int', 'float', 'str', 'sym', 'bool', 'arr', 'hash', 'int', 'str', 'arr'].filter((k) => m[k] || depth <= 0 || k),
    ),
    ['sym', 'bool'].includes('x') ? 0 : 0,
  )
}
const kinds = [
  'int',
  'float',
  'str',
  'str',
  'str',
  'arr',
  'arr',
  'arr',
  'hash',
  'hash',
  'range',
  'stmt',
  'stmt',
  'stmt',
]
const seen = new Set()
while (seen.size < Number(countText)) seen.add(pick(m[pick(kinds)])(n(0, 2)))
console.log(JSON.stringify([...seen]))
