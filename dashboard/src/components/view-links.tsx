import { Button } from '@mantine/core'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { EmptyState } from './empty-state.tsx'
import { Loading } from './loading.tsx'

export interface View {
  /** The last part of the path; empty for the first view. */
  readonly name: string
  readonly title: string
  readonly content: ReactNode
  /** Whether the user's role lacks what the view needs. It is then not offered, and its address says why. */
  readonly isBarred?: boolean
}

/**
 * A page with several views, each with its own URL below `path`. They look like tabs but are links: a view can be
 * opened in another window, shared, and left with the back button.
 */
export function ViewLinks({ path, views }: { readonly path: string; readonly views: readonly View[] }) {
  const { '*': rest = '' } = useParams()
  const name = rest.replace(/\/$/, '')
  const offered = views.filter(({ isBarred }) => !isBarred)
  const asked = views.find((one) => one.name === name)
  const view = asked?.isBarred ? (name === '' ? offered[0] : undefined) : asked
  const list = useRef<HTMLElement>(null)
  // A narrow screen has no room for all of them; the open one must be visible.
  const open = view?.name
  useEffect(() => {
    if (open === undefined) return
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open])
  return (
    <>
      <nav className="view-links" aria-label="Views of this page" ref={list}>
        {offered.map((one) => (
          <Link
            key={one.name}
            to={one.name === '' ? path : `${path}/${one.name}`}
            aria-current={one === view ? 'page' : undefined}
          >
            {one.title}
          </Link>
        ))}
      </nav>
      {view ? (
        <Suspense key={view.name} fallback={<Loading />}>
          {view.content}
        </Suspense>
      ) : (
        <NoView isBarred={asked?.isBarred === true} first={offered[0]} path={path} />
      )}
    </>
  )
}

/** The end of an address that names no view, or one that the user may not see. */
function NoView({
  isBarred,
  first,
  path
}: {
  readonly isBarred: boolean
  readonly first: View | undefined
  readonly path: string
}) {
  return (
    <EmptyState
      icon={isBarred ? 'info' : 'search'}
      title={isBarred ? 'Your role does not include this page' : 'Page not found'}
      action={
        first && (
          <Button component={Link} to={path + (first.name === '' ? '' : `/${first.name}`)}>
            {first.title}
          </Button>
        )
      }
    >
      {isBarred ? 'An admin can give you a role that does.' : 'There is no page at this address.'}
    </EmptyState>
  )
}
