/** Indices: the list, or the page of one index. */
import type { ViewProps } from '../../state/navigation.ts'
import { IndexList } from './index-list.tsx'
import { IndexPage } from './index-page.tsx'

export default function Indices({ rest }: ViewProps) {
  const [name, tab] = rest
  return name === undefined ? <IndexList /> : <IndexPage key={name} name={name} tab={tab ?? 'mapping'} />
}
