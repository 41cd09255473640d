import { useEffect } from 'preact/hooks'

/** Names the page after what it shows: `logs-* · Discover · Sandpiper`. */
export function useTitle(...parts: readonly (string | undefined)[]): void {
  const title = [...parts.filter((part) => part !== undefined && part !== ''), 'Sandpiper'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
