import './settings.css'
import type { Permission } from '../../../../src/protocol/roles.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/page.tsx'
import { ViewLinks, type View } from '../../components/view-links.tsx'
import { AccountView } from './account.tsx'
import { ConfigurationView } from './configuration.tsx'
import { HealthView } from './health.tsx'
import { RetentionView } from './retention.tsx'
import { UsersView } from './users.tsx'

const views: readonly (View & { readonly needs?: Permission })[] = [
  { name: '', title: 'Health', needs: 'audit:read', content: <HealthView /> },
  { name: 'retention', title: 'Retention', needs: 'settings:read', content: <RetentionView /> },
  { name: 'users', title: 'Users', needs: 'users:manage', content: <UsersView /> },
  { name: 'configuration', title: 'Configuration', needs: 'settings:read', content: <ConfigurationView /> },
  { name: 'account', title: 'Your account', content: <AccountView /> }
]

/** The state of the installation, its users, and one's own account. */
export function SettingsPage() {
  const { data: session } = useSession()
  const permissions = session?.user?.permissions ?? []
  const shown = views.map((view) => ({
    ...view,
    isBarred: view.needs !== undefined && !permissions.includes(view.needs)
  }))
  return (
    <Page title="Settings" about="Health, retention, users and configuration.">
      <ViewLinks path="/settings" views={shown} />
    </Page>
  )
}
