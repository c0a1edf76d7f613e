import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { Loading } from './loading.tsx'

export interface View {
  /** The last part of the path; empty for the first view. */
  readonly name: string
  readonly title: string
  readonly content: ReactNode
}

/**
 * A page with several views, each with its own URL below `path`. They look like tabs but are links: a view can be
 * opened in another window, shared, and left with the back button.
 */
export function ViewLinks({ path, views }: { readonly path: string; readonly views: readonly View[] }) {
  const { '*': name = '' } = useParams()
  const view = views.find((one) => one.name === name) ?? views[0]
  const list = useRef<HTMLElement>(null)
  // A narrow screen has no room for all of them; the open one must be visible.
  const open = view?.name
  useEffect(() => {
    if (open === undefined) return
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open])
  if (!view) return null
  return (
    <>
      <nav className="view-links" aria-label="Views of this page" ref={list}>
        {views.map((one) => (
          <Link
            key={one.name}
            to={one.name === '' ? path : `${path}/${one.name}`}
            aria-current={one === view ? 'page' : undefined}
          >
            {one.title}
          </Link>
        ))}
      </nav>
      <Suspense key={view.name} fallback={<Loading />}>
        {view.content}
      </Suspense>
    </>
  )
}
