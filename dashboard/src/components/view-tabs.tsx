import { Tabs } from '@mantine/core'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Loading } from './loading.tsx'

export interface View {
  /** The rest of the address behind the page's own; empty for the first one. */
  readonly name: string
  readonly title: string
  readonly content: ReactNode
}

/** A page of several views, each with an address of its own below `path`. */
export function ViewTabs({ path, views }: { readonly path: string; readonly views: readonly View[] }) {
  const { '*': name = '' } = useParams()
  const navigate = useNavigate()
  const view = views.find((one) => one.name === name) ?? views[0]
  const list = useRef<HTMLDivElement>(null)
  // A narrow screen has no room for all of them; the one that is open must be seen.
  const open = view?.name
  useEffect(() => {
    if (open === undefined) return
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open])
  if (!view) return null
  const addressOf = (one: View): string => (one.name === '' ? path : `${path}/${one.name}`)
  return (
    <Tabs
      value={addressOf(view)}
      onChange={(to) => void navigate(to ?? path)}
      keepMounted={false}
      activateTabWithKeyboard={false}
    >
      <Tabs.List mb="md" className="view-tabs" ref={list}>
        {views.map((one) => (
          <Tabs.Tab key={one.name} value={addressOf(one)}>
            {one.title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={addressOf(view)}>
        <Suspense fallback={<Loading />}>{view.content}</Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}
