/** Nested objects and documents as lanes. Each step shows what it counts, and why two counts differ. */
import { useState } from 'preact/hooks'
import { count, decimal } from '../../api/format.ts'
import { VirtualTable } from '../../components/virtual-table.tsx'
import type { Result } from './run.ts'

export function Levels({ result }: { readonly result: Result }) {
  const [chosen, setChosen] = useState(0)
  const { plan, levels, total, buckets } = result
  if (plan === undefined || levels === undefined || total === undefined) return null
  const documents = nounOf(plan.index)
  const objects = nounOf(plan.path.split('.').at(-1) ?? plan.path)
  const bucket = buckets[Math.min(chosen, buckets.length - 1)]
  const source = plan.by[0]?.field
  const group = bucket?.names[0]
  return (
    <>
      <div class="pad stack">
        <div class="lanes wide-only">
          <div class="lane t1">
            <div class="name">
              <b class="strong clip">{documents}</b>
              <span class="hint">the documents (root)</span>
            </div>
            <div class="track">
              <Stop left={2.5} value={total} noun={documents} what="of the query" />
              {bucket !== undefined && (
                <Stop left={77} value={bucket.back ?? 0} noun={documents} what={`with ${group}`} />
              )}
              {bucket === undefined && <Stop left={52} value={levels.back} noun={documents} what={`with ${objects}`} />}
            </div>
          </div>
          <div class="lane t2">
            <div class="name">
              <b class="strong clip">{objects}</b>
              <span class="hint clip">nested · {plan.path}</span>
            </div>
            <div class="track">
              <Stop
                left={27}
                value={levels.nested}
                noun={objects}
                what={`${decimal(levels.nested / Math.max(1, total))} for each`}
              />
              {bucket !== undefined && <Stop left={52} value={bucket.count} noun={objects} what={`of ${group}`} />}
            </div>
          </div>
          <svg class="paths" viewBox="0 0 100 216" preserveAspectRatio="none" aria-hidden="true">
            <path d="M22 54 C25 54 24 162 27 162" vector-effect="non-scaling-stroke" />
            {bucket !== undefined && <path d="M47 162 L52 162" vector-effect="non-scaling-stroke" />}
            <path
              d={bucket !== undefined ? 'M72 162 C75 162 74 54 77 54' : 'M47 162 C50 162 49 54 52 54'}
              vector-effect="non-scaling-stroke"
            />
          </svg>
        </div>
        <ol class="narrow-only walk">
          <li class="t1">
            <b>{count(total)}</b> {documents} <span class="hint">the query</span>
          </li>
          <li class="t2">
            <b>{count(levels.nested)}</b> {objects} <span class="hint">nested</span>
          </li>
          {bucket !== undefined && (
            <>
              <li class="t2">
                <b>{count(bucket.count)}</b> {objects} <span class="hint">{group}</span>
              </li>
              <li class="t1">
                <b>{count(bucket.back ?? 0)}</b> {documents} <span class="hint">reverse_nested</span>
              </li>
            </>
          )}
        </ol>
        <div class="banner">
          <span>{sentence(bucket, documents, objects, levels, total)}</span>
        </div>
      </div>
      {buckets.length > 0 && (
        <VirtualTable
          label="Groups"
          columns={[
            { name: source ?? 'group' },
            { name: `in ${objects}`, isNumber: true, width: 'w-160' },
            { name: `back in ${documents}`, isNumber: true, width: 'w-200' },
            { name: `${objects} for each`, isNumber: true, width: 'w-160' },
          ]}
          count={buckets.length}
          isMarked={(index) => index === chosen}
          onOpen={setChosen}
          row={(index) => {
            const one = buckets[index]!
            return [
              <b key="n" class="strong">
                {one.names[0]}
              </b>,
              <span key="c">
                {count(one.count)} <span class="unit">{objects}</span>
              </span>,
              <span key="b">
                {count(one.back ?? 0)} <span class="unit">{documents}</span>
              </span>,
              decimal(one.count / Math.max(1, one.back ?? 1)),
            ]
          }}
        />
      )}
    </>
  )
}

function Stop({
  left,
  value,
  noun,
  what,
}: {
  readonly left: number
  readonly value: number
  readonly noun: string
  readonly what: string
}) {
  return (
    <div class="stop" style={{ left: `${left}%`, width: '20%' }} title={`${count(value)} ${noun}: ${what}`}>
      <b>
        {count(value)} <small>{noun}</small>
      </b>
      {what}
    </div>
  )
}

function sentence(
  bucket: Result['buckets'][number] | undefined,
  documents: string,
  objects: string,
  levels: NonNullable<Result['levels']>,
  total: number,
) {
  if (bucket?.back !== undefined) {
    if (bucket.back === bucket.count)
      return `Each of the ${documents} has exactly one of these ${objects}, so both counts are ${count(bucket.count)}.`
    return (
      <>
        <b class="strong">
          Why {count(bucket.count)} is not {count(bucket.back)}:
        </b>{' '}
        some {documents} have several of these {objects}. Down in {objects} each one counts; back up each of the{' '}
        {documents} counts once.
      </>
    )
  }
  return `${count(levels.back)} of ${count(total)} ${documents} have ${objects}, ${count(levels.nested)} in all.`
}

/** The noun for the documents of an index or the objects of a path: `logs-2025` becomes `logs`. */
function nounOf(name: string): string {
  return name.replace(/[-_.*]?\d[\d.-]*\*?$/, '').replace(/[*,].*$/, '') || 'documents'
}
