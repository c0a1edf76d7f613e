/** Names of workspaces. */

/** The workspace that the first start of a service makes. */
export const defaultWorkspaceId = 'default'

const workspaceIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Whether a text is a valid workspace id: lower-case letters, digits and hyphens, at most 63. */
export function isWorkspaceId(id: string): boolean {
  return workspaceIdPattern.test(id)
}
