/** A button that opens a list of actions. Arrow keys move in the list; Esc, a click outside and a choice close it. */
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

const CloseMenu = createContext(() => {})

interface MenuProps {
  readonly label: string
  /** What the actions are for, where several menus have the same label: the name of the row. */
  readonly of?: string
  /** Shows the icon alone. */
  readonly isSmall?: boolean
  readonly children: ComponentChildren
}

export function Menu({ label, of, isSmall = false, children }: MenuProps) {
  const [place, setPlace] = useState<Place | undefined>()
  const box = useRef<HTMLDivElement>(null)
  const isOpen = place !== undefined
  useEffect(() => {
    if (!isOpen) return
    items(box.current)[0]?.focus()
    const close = (event: Event) => {
      if (!box.current!.contains(event.target as Node)) setPlace(undefined)
    }
    const scrolled = () => setPlace(undefined)
    document.addEventListener('pointerdown', close)
    document.addEventListener('scroll', scrolled, true)
    window.addEventListener('resize', scrolled)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('scroll', scrolled, true)
      window.removeEventListener('resize', scrolled)
    }
  }, [isOpen])
  const toggle = () => setPlace(isOpen ? undefined : placeBeside(box.current!))
  return (
    <div
      class="menubox"
      ref={box}
      onKeyDown={(event) => {
        if (!isOpen) return
        if (event.key === 'Escape') {
          setPlace(undefined)
          box.current!.querySelector('button')!.focus()
        } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(box.current, event.key === 'ArrowDown')
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <button
        type="button"
        class={isSmall ? 'button plain small square' : 'button'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={of === undefined ? undefined : `${label} of ${of}`}
        onClick={toggle}
      >
        <Icon name="more" />
        {!isSmall && label}
      </button>
      {place !== undefined && (
        <div class="menu" role="menu" aria-label={of === undefined ? label : `${label} of ${of}`} style={{ ...place }}>
          <CloseMenu.Provider value={() => setPlace(undefined)}>{children}</CloseMenu.Provider>
        </div>
      )}
    </div>
  )
}

interface Place {
  readonly top?: string
  readonly bottom?: string
  readonly right: string
}

/** The menu is placed in the window, since tables clip what stands out of a cell. In the lower half it opens upwards. */
function placeBeside(box: HTMLElement): Place {
  const edges = box.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const right = `${Math.max(8, clientWidth - edges.right)}px`
  return edges.bottom > clientHeight / 2 + edges.height
    ? { bottom: `${clientHeight - edges.top + 4}px`, right }
    : { top: `${edges.bottom + 4}px`, right }
}

function items(box: HTMLElement | null): HTMLButtonElement[] {
  return [...(box?.querySelectorAll<HTMLButtonElement>('[role=menuitem]:not([disabled])') ?? [])]
}

function move(box: HTMLElement | null, isDown: boolean): void {
  const all = items(box)
  const at = all.indexOf(document.activeElement as HTMLButtonElement)
  all[(at + (isDown ? 1 : all.length - 1)) % all.length]?.focus()
}

interface MenuItemProps {
  readonly label: string
  readonly onPick: () => void
  readonly isDanger?: boolean
  readonly isOff?: boolean
}

export function MenuItem({ label, onPick, isDanger = false, isOff = false }: MenuItemProps) {
  const close = useContext(CloseMenu)
  return (
    <button
      type="button"
      role="menuitem"
      class={isDanger ? 'danger' : ''}
      disabled={isOff}
      onClick={() => {
        close()
        onPick()
      }}
    >
      {label}
    </button>
  )
}
