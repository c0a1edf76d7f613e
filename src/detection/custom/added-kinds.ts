/**
 * Kinds without a detector of their own: what they find is configured, or was not read. A policy may name them like the
 * others.
 */
import type { Kind } from '../findings.ts'

export const denyWordKind: Kind = {
  id: 'deny_word',
  label: 'DENIED_WORD',
  title: 'word on the deny list',
  group: 'secret',
  tier: 'medium'
}

export const knownCredentialKind: Kind = {
  id: 'known_credential',
  label: 'KNOWN_CREDENTIAL',
  title: "credential of Sluice's own configuration",
  group: 'secret',
  tier: 'high'
}

/** What stands in more layers of escapes than the scan of a text reads (decision 237). */
export const unreadKind: Kind = {
  id: 'unread_layers',
  label: 'UNREAD',
  title: 'text in too many layers of escapes to be read',
  group: 'secret',
  tier: 'medium'
}

export const addedKinds: readonly Kind[] = [denyWordKind, knownCredentialKind, unreadKind]
