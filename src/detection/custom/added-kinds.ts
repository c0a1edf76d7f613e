/** Kinds that are not built in, since what they find is configured: a policy may name them like the others. */
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

export const addedKinds: readonly Kind[] = [denyWordKind, knownCredentialKind]
