/** What users may do: each role has permissions, and each route of the API requires one. */

/** From the least to the most privileged. */
export const roles = ['viewer', 'analyst', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

/** The display name of a role. */
export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  analyst: 'Analyst',
  editor: 'Policy editor',
  admin: 'Admin'
}

/**
 * `audit:read`: events, audit rows and their proof, sensors, tools, health. `audit:export`: the same as files.
 * `policy:read`: policies, their history and warnings about them. `policy:try`: lint, playground, dry run.
 * `policy:write`: publishing, rolling back, and suggested rules for false alarms. The other three are for admins.
 */
export const permissions = [
  'audit:read',
  'audit:export',
  'policy:read',
  'policy:try',
  'policy:write',
  'tokens:manage',
  'users:manage',
  'settings:read'
] as const
export type Permission = (typeof permissions)[number]

const viewer: readonly Permission[] = ['audit:read', 'policy:read']
const analyst: readonly Permission[] = [...viewer, 'audit:export', 'policy:try']
const editor: readonly Permission[] = [...analyst, 'policy:write']

export const permissionsOfRole: Readonly<Record<Role, readonly Permission[]>> = {
  viewer,
  analyst,
  editor,
  admin: permissions
}

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)
