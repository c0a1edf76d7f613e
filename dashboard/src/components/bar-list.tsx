import { Link } from 'react-router'
import { segmentsOf, type BarSegment } from './bar-segments.ts'
import { formatCompact, formatCount, formatName } from './format.ts'

export interface BarItem {
  readonly name: string
  readonly value: number
  /** The decisions among it, in drawing order; the rest of the bar is plain. */
  readonly parts?: readonly BarSegment[]
  /** Path of the events behind the row. */
  readonly to?: string | undefined
}

/** Names with their counts, greatest first, each with a bar in proportion to the greatest. */
export function BarList({ items, unit }: { readonly items: readonly BarItem[]; readonly unit: string }) {
  const max = Math.max(1, ...items.map(({ value }) => value))
  return (
    <ul className="bars">
      {items.map((item) => (
        <li key={item.name}>
          <BarRow item={item} max={max} unit={unit} />
        </li>
      ))}
    </ul>
  )
}

function BarRow({
  item: { name, value, parts, to },
  max,
  unit
}: {
  readonly item: BarItem
  readonly max: number
  readonly unit: string
}) {
  const split = parts
    ?.filter((part) => part.value > 0)
    .map((part) => `${formatCount(part.value)} ${partWords[part.part]}`)
  const shown = formatName(name)
  const title = `${shown}: ${formatCount(value)} ${unit}${split && split.length > 0 ? ` (${split.join(', ')})` : ''}`
  const inside = (
    <>
      <span>{shown}</span>
      <span className="tabular">{formatCompact(value)}</span>
      <span className="bar-track" aria-hidden="true">
        {segmentsOf(value, parts).map((part) => (
          <i key={part.part} data-part={part.part} style={{ width: `${(part.value / max) * 100}%` }} />
        ))}
      </span>
    </>
  )
  return to === undefined ? (
    <div className="bar-row" title={title}>
      {inside}
    </div>
  ) : (
    <Link to={to} className="bar-row" title={title}>
      {inside}
    </Link>
  )
}

const partWords = { block: 'blocked', mask: 'masked', allow: 'allowed', other: 'not decided' } as const
