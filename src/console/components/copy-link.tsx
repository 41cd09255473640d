/** A button that copies the address of the view. The key `y` presses it. */
import { Icon } from './icon.tsx'
import { copyText } from './toasts.tsx'

interface CopyLinkProps {
  /** Copies the address; without it the current one is copied. */
  readonly onCopy?: () => void
}

export function CopyLink({ onCopy = () => copyText(location.href, 'Link') }: CopyLinkProps) {
  return (
    <button type="button" class="button plain wide-only" data-hotkey="y" onClick={onCopy}>
      <Icon name="link" />
      Copy link
    </button>
  )
}
