/**
 * Shows text of a document as plain text, with highlighted matches, visible control characters and isolated directions.
 */
import { aroundMatch, splitMarks, visible } from '../documents/marks.ts'

export function Marked({ text, isClipped = false }: { readonly text: string; readonly isClipped?: boolean }) {
  const pieces = splitMarks(isClipped ? aroundMatch(text) : text)
  return (
    <bdi>
      {pieces.map(({ text: piece, isMatch }, i) => (isMatch ? <mark key={i}>{visible(piece)}</mark> : visible(piece)))}
    </bdi>
  )
}
