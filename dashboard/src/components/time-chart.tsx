/** Events over time as stacked bars, drawn on a canvas. Loaded when a page first shows one. */
import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { chartHeightPx } from './chart-height.ts'
import { isByDay, stepText, tickText } from './chart-words.ts'
import { formatCompact, formatCount } from './format.ts'

export interface ChartStep {
  /** Start of the step, in milliseconds since 1970. */
  readonly at: number
  readonly block: number
  readonly mask: number
  readonly allow: number
}

const parts = [
  { name: 'block', label: 'Blocked' },
  { name: 'mask', label: 'Masked' },
  { name: 'allow', label: 'Allowed' }
] as const

const barsBuilder = uPlot.paths.bars

interface Props {
  readonly steps: readonly ChartStep[]
  /** Length of a step in milliseconds. */
  readonly stepMs: number
  /** What the chart shows, as a sentence. */
  readonly label: string
  /** Called for a click on a bar. */
  readonly onChoose?: (step: ChartStep) => void
}

export default function TimeChart({ steps, stepMs, label, onChoose }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const scheme = useComputedColorScheme('light')
  const place = useRef<HTMLDivElement>(null)
  const choose = useRef(onChoose)
  useEffect(() => {
    choose.current = onChoose
  }, [onChoose])
  useEffect(() => {
    const target = place.current
    if (target === null || width === 0) return
    // The colours are read from the page when the chart is created, so a change of theme creates it again.
    target.dataset['scheme'] = scheme
    const chart = new uPlot(
      options(width, stepMs, (index) => {
        const step = steps[index]
        if (step) choose.current?.(step)
      }),
      stacked(steps),
      target
    )
    return () => chart.destroy()
  }, [steps, stepMs, width, scheme])
  return (
    <div ref={ref} className="time-chart">
      <div ref={place} role="img" aria-label={label} style={{ minHeight: chartHeightPx }} />
    </div>
  )
}

/** Each series holds the sum of its own count and all below it, since the tallest bar is drawn first. */
function stacked(steps: readonly ChartStep[]): uPlot.AlignedData {
  return [
    steps.map(({ at }) => at / 1000),
    steps.map(({ block, mask, allow }) => block + mask + allow),
    steps.map(({ block, mask }) => block + mask),
    steps.map(({ block }) => block)
  ]
}

function options(width: number, stepMs: number, onChoose: (index: number) => void): uPlot.Options {
  const colour = (name: string): string => resolveColour(`var(${name})`)
  const [text, grid] = [colour('--mantine-color-dimmed'), colour('--line')]
  const bars = barsBuilder?.({ size: [0.72, 40], align: 1, gap: 1 })
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font: '12px system-ui' }
  return {
    width,
    height: chartHeightPx,
    // The last time label is centred below the end, so half of it extends beyond.
    padding: [10, 20, 0, 0],
    ...(isByDay(stepMs) && { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC') }),
    legend: { show: false },
    scales: {
      x: { time: true, range: (_, from, to) => [from, to + stepMs / 1000] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.06)] }
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 26,
        values: (_, ticks) => ticks.map((at) => tickText(at * 1000, stepMs))
      },
      {
        ...axis,
        size: 46,
        values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? formatCompact(tick) : ''))
      }
    ],
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    series: [
      {},
      ...(['allow', 'mask', 'block'] as const).map((name) => ({
        // Where the system sets the colours, all parts of a bar would have that of text.
        fill: resolveColour(`var(--bar-${name})`, { isData: true }),
        width: 0,
        points: { show: false },
        ...(bars ? { paths: bars } : {})
      }))
    ],
    plugins: [tooltip(stepMs, onChoose)]
  }
}

/** A canvas supports neither variables nor light-dark(): the page resolves them. */
function resolveColour(value: string, { isData = false } = {}): string {
  const probe = document.createElement('span')
  probe.style.color = value
  if (isData) probe.style.forcedColorAdjust = 'none'
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function tooltip(stepMs: number, onChoose: (index: number) => void): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'chart-tip'
  box.hidden = true
  return {
    hooks: {
      init: (chart) => {
        chart.over.append(box)
        chart.over.addEventListener('click', () => {
          if (typeof chart.cursor.idx === 'number') onChoose(chart.cursor.idx)
        })
      },
      setCursor: (chart) => {
        const { idx, left = -1 } = chart.cursor
        box.hidden = typeof idx !== 'number' || left < 0
        if (typeof idx !== 'number' || left < 0) return
        const at = (chart.data[0][idx] ?? 0) * 1000
        const upTo = (place: number): number => chart.data[place]?.[idx] ?? 0
        const counts = [upTo(3), upTo(2) - upTo(3), upTo(1) - upTo(2)]
        const when = document.createElement('b')
        when.textContent = stepText(at, stepMs)
        const lines = parts.map(({ name, label }, place) => {
          const line = document.createElement('span')
          line.dataset['part'] = name
          line.textContent = `${label} ${formatCount(counts[place] ?? 0)}`
          return line
        })
        box.replaceChildren(when, ...lines)
        box.style.left = `${Math.min(left + 12, chart.over.clientWidth - 130)}px`
      }
    }
  }
}
