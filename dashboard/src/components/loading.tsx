import { Loader } from '@mantine/core'

/** Shown while something is loading. */
export function Loading({ isPage = false }: { readonly isPage?: boolean }) {
  return (
    <div className={isPage ? 'loading loading-page' : 'loading'} role="status" aria-label="Loading">
      <Loader size="sm" />
    </div>
  )
}
