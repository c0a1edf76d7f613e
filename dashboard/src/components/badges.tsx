/** Badges for actions and severities: always an icon or a shape with a word, never a colour alone. */
import { Icon, type IconName } from './icons.tsx'
import { eventWord } from './event-words.ts'
import { formatCount } from './format.ts'

const actionWords: Readonly<Record<string, { readonly word: string; readonly icon: IconName }>> = {
  block: { word: 'Blocked', icon: 'block' },
  mask: { word: 'Masked', icon: 'mask' },
  allow: { word: 'Allowed', icon: 'allow' }
}

/** `action` of an event; nothing if it has none. */
export function ActionBadge({ action }: { readonly action: unknown }) {
  const known = typeof action === 'string' ? actionWords[action] : undefined
  if (!known) return null
  return (
    <span className="badge" data-action={action}>
      <Icon name={known.icon} size={13} />
      {known.word}
    </span>
  )
}

const tierBars: Readonly<Record<string, number>> = { none: 0, low: 1, medium: 2, high: 3 }

/** A risk tier as a word with rising bars. */
export function TierBadge({ tier }: { readonly tier: unknown }) {
  const bars = typeof tier === 'string' ? tierBars[tier] : undefined
  if (bars === undefined || bars === 0) return <span className="dimmed">{bars === 0 ? 'none' : ''}</span>
  return (
    <span className="badge" data-tier={tier}>
      <span className="tier-bars" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <i key={bar} data-on={bar <= bars} />
        ))}
      </span>
      {String(tier)}
    </span>
  )
}

/** An entity kind with its count. */
export function KindBadge({ kind, count }: { readonly kind: string; readonly count?: number }) {
  return (
    <span className="badge" data-kind>
      <span className="mono">{kind}</span>
      {count === undefined ? null : <b className="tabular">{formatCount(count)}</b>}
    </span>
  )
}

/** The kind of an event, in words. */
export function EventKind({ kind }: { readonly kind: string }) {
  return (
    <span title={kind} className="nowrap">
      {eventWord(kind)}
    </span>
  )
}

/** A state. */
export function StateBadge({
  state,
  children
}: {
  readonly state: 'good' | 'warn' | 'bad' | 'quiet'
  readonly children: string
}) {
  const icon = ({ good: 'allow', warn: 'warning', bad: 'block', quiet: 'info' } as const)[state]
  return (
    <span className="badge" data-state={state}>
      <Icon name={icon} size={13} />
      {children}
    </span>
  )
}
