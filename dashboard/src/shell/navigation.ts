/** The pages in the dashboard's navigation, in order. */
import type { Permission } from '../../../src/protocol/roles.ts'
import type { IconName } from '../components/icons.tsx'

interface NavigationEntry {
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** Key to press after `g` to open the page from anywhere. */
  readonly key: string
  readonly permission: Permission
}

export const navigation: readonly { readonly title: string; readonly entries: readonly NavigationEntry[] }[] = [
  {
    title: 'Watch',
    entries: [
      { path: '/', title: 'Overview', icon: 'overview', key: 'o', permission: 'audit:read' },
      { path: '/live', title: 'Live', icon: 'live', key: 'l', permission: 'audit:read' },
      { path: '/search', title: 'Search', icon: 'search', key: 's', permission: 'audit:read' }
    ]
  },
  {
    title: 'Govern',
    entries: [
      { path: '/policy', title: 'Policy', icon: 'policy', key: 'p', permission: 'policy:read' },
      { path: '/tools', title: 'Tools', icon: 'tools', key: 't', permission: 'audit:read' },
      { path: '/fleet', title: 'Fleet', icon: 'fleet', key: 'f', permission: 'audit:read' }
    ]
  },
  {
    title: 'Manage',
    entries: [
      { path: '/tokens', title: 'Tokens', icon: 'tokens', key: 'k', permission: 'tokens:manage' },
      { path: '/audit', title: 'Audit', icon: 'audit', key: 'a', permission: 'audit:read' },
      { path: '/settings', title: 'Settings', icon: 'settings', key: 'e', permission: 'audit:read' }
    ]
  }
]

export const navigationEntries: readonly NavigationEntry[] = navigation.flatMap(({ entries }) => entries)
