/** Outlines of land from a TopoJSON file, which stores arcs once, delta-encoded, and shares them between rings. */

interface Topology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] }
  readonly arcs: readonly (readonly (readonly [number, number])[])[]
  readonly objects: Record<
    string,
    { readonly geometries: readonly { readonly type: string; readonly arcs: unknown }[] }
  >
}

export interface MultiPolygon {
  readonly type: 'MultiPolygon'
  coordinates: [number, number][][][]
}

export function landOf(topology: Topology, name: string): MultiPolygon {
  const points = topology.arcs.map((arc) => absolute(arc, topology.transform))
  const polygons: [number, number][][][] = []
  for (const { type, arcs } of topology.objects[name]!.geometries) {
    if (type === 'Polygon') polygons.push((arcs as number[][]).map((ring) => join(ring, points)))
    else if (type === 'MultiPolygon')
      for (const polygon of arcs as number[][][]) polygons.push(polygon.map((ring) => join(ring, points)))
  }
  return { type: 'MultiPolygon', coordinates: polygons }
}

function absolute(
  arc: readonly (readonly [number, number])[],
  { scale, translate }: Topology['transform'],
): [number, number][] {
  let x = 0
  let y = 0
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/**
 * A negative number refers to the reversed arc. The first point of an arc equals the last point of the previous one.
 */
function join(ring: readonly number[], arcs: readonly [number, number][][]): [number, number][] {
  return ring.flatMap((index, i) => {
    const arc = index >= 0 ? arcs[index]! : [...arcs[~index]!].reverse()
    return i === 0 ? arc : arc.slice(1)
  })
}

/** The bounds (west, south, east, north) of a tile named `zoom/x/y`. */
export function tileBounds(key: string): readonly [number, number, number, number] | undefined {
  const match = /^(\d+)\/(\d+)\/(\d+)$/.exec(key)
  if (match === null) return undefined
  const [zoom, x, y] = match.slice(1).map(Number) as [number, number, number]
  const tiles = 2 ** zoom
  const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * 180) / Math.PI
  return [(x / tiles) * 360 - 180, latitude(y + 1), ((x + 1) / tiles) * 360 - 180, latitude(y)]
}
