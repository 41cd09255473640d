/** Scripts that read the values of fields from `_source`. */
import type { JsonObject } from '../../service/metadata/metadata.ts'

/** Collects the values at a path of `_source`. A dot may separate objects or be part of a name. */
const COLLECT = `void collect(def v, String path, List out) {
  if (v == null) return;
  if (v instanceof List) { for (def e : v) { collect(e, path, out) } return; }
  if (path == '') { if (!(v instanceof Map)) out.add(v); return; }
  if (!(v instanceof Map)) return;
  if (v.containsKey(path)) collect(v.get(path), '', out);
  int at = path.indexOf('.');
  while (at > 0) {
    String head = path.substring(0, at);
    if (v.containsKey(head)) collect(v.get(head), path.substring(at + 1), out);
    at = path.indexOf('.', at + 1);
  }
}
`

const LONG = 'long x = v instanceof Number ? ((Number) v).longValue() : (long) Double.parseDouble(v.toString());'
const DOUBLE = 'double x = v instanceof Number ? ((Number) v).doubleValue() : Double.parseDouble(v.toString());'

/** The statement that makes `x` of a value `v`. It throws for values that are not of the type, which are left out. */
function convert(type: string, format: string | undefined): string {
  switch (type) {
    case 'long':
      return LONG
    case 'double':
      return DOUBLE
    case 'boolean':
      return "boolean x = v instanceof Boolean ? (boolean) v : v.toString() == 'true';"
    case 'date':
      return `long x = v instanceof Number ? ((Number) v).longValue() : ${parsedDate(format)};`
    default:
      return 'String x = v.toString();'
  }
}

/** A date without a time begins at midnight, one without a zone is in UTC. */
function parsedDate(format: string | undefined): string {
  if (
    format === undefined ||
    format.startsWith('strict_date_optional_time') ||
    format.startsWith('date_optional_time')
  ) {
    const text = 'v.toString()'
    return `(${text}.length() <= 10 ? LocalDate.parse(${text}).atStartOfDay(ZoneId.of('Z')).toInstant().toEpochMilli() : (${text}.length() > 19 ? ZonedDateTime.parse(${text}).toInstant().toEpochMilli() : LocalDateTime.parse(${text}).atZone(ZoneId.of('Z')).toInstant().toEpochMilli()))`
  }
  const pattern = `DateTimeFormatter.ofPattern('${format.split('||')[0]!.replace(/'/g, "\\'")}')`
  return /[Hhk]/.test(format)
    ? `LocalDateTime.parse(v.toString(), ${pattern}).atZone(ZoneId.of('Z')).toInstant().toEpochMilli()`
    : `LocalDate.parse(v.toString(), ${pattern}).atStartOfDay(ZoneId.of('Z')).toInstant().toEpochMilli()`
}

/** Emits the values of a field for `derived`. */
export function emitScript(name: string, definition: JsonObject): string {
  const x = convert(String(definition['type']), formatOf(definition))
  return `${COLLECT}List out = new ArrayList(); collect(params._source, ${quoted(name)}, out);
for (def v : out) { try { ${x} emit(x); } catch (Exception e) { } }`
}

/** Returns the least or greatest value of a field for a sort by script, or the given value when there is none. */
export function sortScript(name: string, definition: JsonObject, isGreatest: boolean, missing: string): string {
  const type = String(definition['type'])
  const isText = type === 'keyword' || type === 'ip'
  const [kind, none] = isText ? ['String', 'null'] : ['Double', 'null']
  const value = isText ? 'x' : `Double.valueOf(${type === 'boolean' ? 'x ? 1.0 : 0.0' : '(double) x'})`
  const compare = isGreatest ? '> 0' : '< 0'
  return `${COLLECT}List out = new ArrayList(); collect(params._source, ${quoted(name)}, out); ${kind} best = ${none};
for (def v : out) { try { ${convert(type, formatOf(definition))} ${kind} y = ${value}; if (best == null || y.compareTo(best) ${compare}) best = y; } catch (Exception e) { } }
return best == null ? ${missing} : best;`
}

const formatOf = ({ format }: JsonObject) => (typeof format === 'string' ? format : undefined)

function quoted(text: string): string {
  return `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`
}

/**
 * Returns the values that are longer than `ignore_above`, by the names of their fields. Values of fields that the request
 * does not ask for are left out; their names stay.
 */
export const IGNORED_SCRIPT = `${COLLECT}Map found = new HashMap(); List limits = params.limits[doc['_index'].value];
if (limits != null && params._source != null) for (def limit : limits) {
  List out = new ArrayList(); collect(params._source, limit.path, out);
  List values = new ArrayList(); boolean exceeds = false;
  for (def v : out) { if (v.toString().length() > limit.limit) { exceeds = true; if (limit.shown) values.add(v); } }
  if (exceeds) { if (found.containsKey(limit.field)) found[limit.field].addAll(values); else found[limit.field] = values; }
}
return found;`
