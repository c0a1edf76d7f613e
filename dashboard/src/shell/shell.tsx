import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { Link, Navigate, Outlet, useLocation } from 'react-router'
import { watchSession } from '../api/client.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { Icon, Mark } from '../components/icons.tsx'
import { Loading } from '../components/loading.tsx'
import { NoSession } from '../pages/sign-in/no-session.tsx'
import { navigation } from './navigation.ts'
import { Reconnect } from './reconnect.tsx'
import { SessionEnded } from './session-ended.tsx'
import { isToLookUp } from './look-up.ts'
import { Shortcuts } from './shortcuts.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { UserMenu } from './user-menu.tsx'
import { WarningsBanner } from './warnings-banner.tsx'

/** The frame of all pages behind the sign-in. */
export function Shell() {
  const { data: session, error, refetch } = useSession()
  const client = useQueryClient()
  const location = useLocation()
  useEffect(
    () => watchSession({ onSignedOut: () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }) }),
    [client]
  )
  if (!session) return error ? <NoSession error={error} onReturn={refetch} /> : <Loading isPage />
  if (!session.user) {
    if (session.setupNeeded && !session.oidc) return <Navigate to="/setup" replace />
    const next = `${location.pathname}${location.search}`
    return <Navigate to={next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`} replace />
  }
  return (
    <>
      <Frame />
      <SessionEnded isOpen={session.isEnded} />
    </>
  )
}

function Frame() {
  const { data: session } = useSession()
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { pathname, state } = useLocation()
  const main = useRef<HTMLElement>(null)
  const lastPath = useRef(pathname)
  useEffect(() => {
    if (lastPath.current === pathname) return
    lastPath.current = pathname
    close()
    // As after a page load: the next tab key starts at the top of the new page.
    if (!isToLookUp(state)) main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [pathname, state, close])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <AppShell.Header className="header">
        <Group gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
            aria-expanded={isOpen}
          />
          <Link to="/" className="brand" aria-label="Sluice: overview">
            <Mark />
            <span>Sluice</span>
          </Link>
          {session?.workspace ? (
            <Text size="sm" c="dimmed" className="workspace" title={`Workspace ${session.workspace.id}`}>
              {session.workspace.name}
            </Text>
          ) : null}
        </Group>
        <Group gap={6} wrap="nowrap">
          <Reconnect />
          <ThemeSwitch />
          {session?.user ? <UserMenu user={session.user} /> : null}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar" aria-label="Pages">
        <Navigation pathname={pathname} onChoose={close} />
        <Text size="xs" c="dimmed" px="md" py="sm" mt="auto">
          Version {session?.version} · ? for keys
        </Text>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} ref={main}>
        <WarningsBanner />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Shortcuts />
    </AppShell>
  )
}

function Navigation({ pathname, onChoose }: { readonly pathname: string; readonly onChoose: () => void }) {
  const { data: session } = useSession()
  const permissions = session?.user?.permissions ?? []
  return navigation.map(({ title, entries }) => {
    const shown = entries.filter(({ permission }) => permissions.includes(permission))
    if (shown.length === 0) return null
    return (
      <div key={title} className="navbar-group">
        <span className="navbar-title">{title}</span>
        {shown.map((entry) => {
          const isHere = entry.path === '/' ? pathname === '/' : pathname.startsWith(entry.path)
          return (
            <NavLink
              key={entry.path}
              component={Link}
              to={entry.path}
              active={isHere}
              aria-current={isHere ? 'page' : undefined}
              label={entry.title}
              leftSection={<Icon name={entry.icon} />}
              // Choosing the page that is already open changes no URL that would close the menu of a small screen.
              onClick={onChoose}
            />
          )
        })}
      </div>
    )
  })
}
