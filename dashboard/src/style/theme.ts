/** Colours, sizes and defaults of the components. Contrasts meet WCAG AA for small text. */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const tide: MantineColorsTuple = [
  '#e8f6f8',
  '#d3eaee',
  '#a5d5dd',
  '#73bfcb',
  '#4dacbb',
  '#2f95a6',
  '#197f90',
  '#0f6b7b',
  '#0c5866',
  '#084350'
]

/** Slate instead of Mantine's neutral black: large dark areas are less tiring. */
const dark: MantineColorsTuple = [
  '#d5dce3',
  '#b4bec8',
  '#93a0ad',
  '#6b7885',
  '#3d4853',
  '#303a44',
  '#232c35',
  '#1a2129',
  '#141a20',
  '#0e1317'
]

export const theme = createTheme({
  primaryColor: 'tide',
  primaryShade: { light: 7, dark: 6 },
  colors: { tide, dark },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '620' },
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: true } } },
    Anchor: { defaultProps: { underline: 'hover' } },
    // A menu may contain nothing but items, and the placeholder that would take the focus is none.
    Menu: { defaultProps: { position: 'bottom-end', withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 'sm' } }
  }
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#57636e',
    '--mantine-color-placeholder': '#6a7681',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-red-filled': '#b3261e',
    '--mantine-color-red-filled-hover': '#8f1e18',
    '--mantine-color-body': '#ffffff',
    // Disabled content must still be readable.
    '--mantine-color-disabled-color': '#57636e'
  },
  dark: {
    '--mantine-color-dimmed': '#a3b0bc',
    '--mantine-color-placeholder': '#93a0ad',
    '--mantine-color-error': '#ff9c92',
    '--mantine-color-red-filled': '#c4372e',
    '--mantine-color-red-filled-hover': '#b3261e',
    '--mantine-color-body': '#141a20',
    '--mantine-color-anchor': '#73bfcb',
    '--mantine-color-disabled-color': '#93a0ad'
  }
})
