/** Names of workspaces. */

const workspaceIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Whether a text is a valid workspace id: lower-case letters, digits and hyphens, at most 63. */
export function isWorkspaceId(id: string): boolean {
  return workspaceIdPattern.test(id)
}
