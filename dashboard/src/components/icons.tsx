/** Line icons on a grid of 24, drawn for this dashboard. They never carry meaning alone: each has a word beside it. */
import type { ReactNode } from 'react'

/** A simple icon: a single path. */
const path = (d: string): ReactNode => <path d={d} />

/** A path with a circle, by default the frame of the icon. */
const circled = (d: string, cx = 12, cy = 12, r = 8.5): ReactNode => (
  <>
    <circle cx={cx} cy={cy} r={r} />
    <path d={d} />
  </>
)

const shapes = {
  overview: path('M4 19V10M9.3 19V5M14.6 19v-7M20 19V8'),
  live: path('M3 12h4l2.5-7 5 14 2.5-7h4'),
  search: circled('m16 16 4.5 4.5', 11, 11, 6.5),
  policy: path('M12 3.5 5 6v5.5c0 4.3 2.9 7.2 7 9 4.1-1.8 7-4.7 7-9V6zM9 12l2.2 2.2L15.2 10'),
  tools: path(
    'M14.5 6.5a4 4 0 0 1 5-1l-2.6 2.6 1.9 1.9 2.4-2.4a4 4 0 0 1-5.4 4.7L8 20a2 2 0 0 1-3-3l7.6-7.7a4 4 0 0 1 1.9-2.8z'
  ),
  fleet: (
    <>
      <rect x="4" y="4" width="16" height="6.5" rx="1.5" />
      <rect x="4" y="13.5" width="16" height="6.5" rx="1.5" />
      <path d="M7.5 7.3h.01M7.5 16.8h.01M11 7.3h5.5M11 16.8h5.5" />
    </>
  ),
  tokens: circled('m11 12.5 8.5-8.5M16 7.5l2.5 2.5', 8, 15.5, 4),
  audit: path('M6 3.5h9l4 4v13H6zM9 12h7M9 15.5h7M9 8.5h3'),
  settings: (
    <>
      <path d="M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1" />
      <circle cx="15" cy="7" r="2" />
      <circle cx="9" cy="12" r="2" />
      <circle cx="17" cy="17" r="2" />
    </>
  ),
  block: circled('m6 6 12 12'),
  mask: path(
    'M4 4l16 16M9.9 5.3A10.4 10.4 0 0 1 12 5c5 0 8.4 4.2 9.5 7a13 13 0 0 1-2.7 3.9M6 7.2A13.5 13.5 0 0 0 2.5 12c1.1 2.8 4.5 7 9.5 7a9.6 9.6 0 0 0 5-1.5M9.9 9.9a3 3 0 0 0 4.2 4.2'
  ),
  allow: path('m5 12.5 4.5 4.5L19 7.5'),
  warning: path('M12 4 2.8 19.5h18.4zM12 10v4.5M12 17h.01'),
  info: circled('M12 11v5.5M12 7.8h.01'),
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
      <path d="M15.5 8.5v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2" />
    </>
  ),
  pause: path('M8.5 5.5v13M15.5 5.5v13'),
  play: path('M7.5 5v14l11-7z'),
  download: path('M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14'),
  sun: circled('M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4', 12, 12, 4),
  moon: path('M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z'),
  auto: circled('M12 3.5v17M12 8l5.5-2.5M12 13l8-3.5M12 18l7-3'),
  user: circled('M4.5 20c.8-4 3.7-6 7.5-6s6.7 2 7.5 6', 12, 8.5, 4),
  signOut: path('M10 4.5H6a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h4M14.5 8l4 4-4 4M18 12H9.5'),
  plus: path('M12 5v14M5 12h14'),
  close: path('m6 6 12 12M18 6 6 18'),
  refresh: path('M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9M20 4v5h-5'),
  clock: circled('M12 7v5.5l3.5 2'),
  up: path('M12 19V6m-5.5 5.5L12 6l5.5 5.5'),
  down: path('M12 5v13m5.5-5.5L12 18l-5.5-5.5'),
  flag: path('M6 21V4h11.5l-2 4 2 4H6'),
  seal: circled('m8.5 14-1.5 7 5-2.5 5 2.5-1.5-7M9.8 9.5l1.6 1.6 3-3', 12, 9.5, 5.5)
} as const satisfies Record<string, ReactNode>

export type IconName = keyof typeof shapes

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[name]}
    </svg>
  )
}

/** The sluice gate: the mark of the product. */
export function Mark({ size = 26 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0f5c6e" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
        <path d="M8 6v14M24 6v14" />
        <path d="M12 9h8v6h-8z" strokeLinejoin="round" />
        <path d="M6 25q2.5-2.6 5 0t5 0 5 0 5 0" />
      </g>
    </svg>
  )
}
