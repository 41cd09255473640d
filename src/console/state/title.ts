import { useEffect } from 'preact/hooks'

/** Sets the page title to the displayed content: `logs-* · Discover · Sandpiper`. */
export function useTitle(...parts: readonly (string | undefined)[]): void {
  const title = [...parts.filter((part) => part !== undefined && part !== ''), 'Sandpiper'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
