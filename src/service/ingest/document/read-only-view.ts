/** The document as conditions see it: readable, but not modifiable. */
import { JEntry, JFixedList, JList, JMap, javaUnsupported } from '../../../engine/painless/index.ts'

const refused = () => javaUnsupported('Mutating ingest documents in conditionals is not supported')

export function readOnlyView(value: unknown): unknown {
  if (value instanceof JMap) return new ReadOnlyMap(value)
  if (value instanceof JList) return new ReadOnlyList(value)
  return value
}

class ReadOnlyMap extends JMap {
  readonly #map: JMap

  constructor(map: JMap) {
    super()
    this.#map = map
  }

  get $class(): string {
    return 'org.elasticsearch.ingest.ConditionalProcessor$UnmodifiableIngestData'
  }

  override get $listed(): string {
    return 'java.util.Map'
  }

  entries(): readonly JEntry[] {
    return this.#map.entries().map(({ key, value }) => new JEntry(key, readOnlyView(value)))
  }

  entry(key: unknown): JEntry | undefined {
    const entry = this.#map.entry(key)
    return entry === undefined ? undefined : new JEntry(key, readOnlyView(entry.value))
  }

  override get_1(key: unknown): unknown {
    return readOnlyView(this.#map.get_1(key))
  }

  override containsKey_1(key: unknown): boolean {
    return this.#map.containsKey_1(key)
  }

  size_0(): number {
    return this.#map.size_0()
  }

  put_2(): unknown {
    throw refused()
  }

  remove_1(): unknown {
    throw refused()
  }

  clear_0(): void {
    throw refused()
  }
}

class ReadOnlyList extends JFixedList {
  constructor(list: JList) {
    super(list.items.map(readOnlyView), 'org.elasticsearch.ingest.ConditionalProcessor$UnmodifiableIngestList', true)
  }

  override set_2(): unknown {
    throw refused()
  }

  override add_1(): boolean {
    throw refused()
  }

  override add_2(): void {
    throw refused()
  }

  override addAll_1(): boolean {
    throw refused()
  }

  override addAll_2(): boolean {
    throw refused()
  }

  override remove_1(): unknown {
    throw refused()
  }

  override removeWhere(): boolean {
    throw refused()
  }

  override clear_0(): void {
    throw refused()
  }

  override sort_1(): void {
    throw refused()
  }

  override replaceAll_1(): void {
    throw refused()
  }
}
