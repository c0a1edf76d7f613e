/** The lifetimes that can be chosen for a new token. */
const dayMs = 86_400_000

export const expiryChoices = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' }
] as const

/** @param days of a choice; empty for a token that does not expire */
export const expiryOf = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString()
