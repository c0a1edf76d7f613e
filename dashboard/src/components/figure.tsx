import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Icon, type IconName } from './icons.tsx'

/** One number with its name, linked to the events that it counts. */
export function Figure({
  label,
  value,
  note,
  icon,
  to
}: {
  readonly label: string
  readonly value: ReactNode
  /** A short line below: what it is compared with. */
  readonly note?: ReactNode
  readonly icon?: IconName
  /** Path of the events behind the number. */
  readonly to?: string | undefined
}) {
  const inside = (
    <>
      <span className="figure-label">
        {icon === undefined ? null : <Icon name={icon} size={15} />}
        {label}
      </span>
      <div className="figure-value tabular">{value}</div>
      <div className="figure-note">{note}</div>
    </>
  )
  if (to === undefined) return <div className="card figure">{inside}</div>
  return (
    <Link to={to} className="card figure">
      {inside}
    </Link>
  )
}
