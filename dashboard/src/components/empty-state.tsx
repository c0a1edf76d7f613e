import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

/** Shown if there is nothing to list: why, and what to do next. */
export function EmptyState({
  icon,
  title,
  children,
  action
}: {
  readonly icon: IconName
  readonly title: string
  /** One or two sentences. */
  readonly children?: ReactNode
  /** A button or a link. */
  readonly action?: ReactNode
}) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      <Text fw={600}>{title}</Text>
      {children === undefined ? null : <p className="empty-text">{children}</p>}
      {action}
    </div>
  )
}
