import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Icon } from './icons.tsx'

/** Copies a text. `label` says what: "Copy the request ID". */
export function CopyButton({
  value,
  label,
  size = 'sm'
}: {
  readonly value: string
  readonly label: string
  readonly size?: 'sm' | 'md'
}) {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon variant="subtle" color="gray" size={size} aria-label={label} onClick={() => copy(value)}>
        <Icon name={copied ? 'allow' : 'copy'} size={size === 'sm' ? 14 : 16} />
        <span role="status" className="visually-hidden">
          {copied ? 'Copied' : ''}
        </span>
      </ActionIcon>
    </Tooltip>
  )
}

/** Lines to be pasted elsewhere, with a button that copies them. */
export function CopyBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="copy-block">
      {/* Long lines scroll, and what scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton value={text} label={`Copy: ${label}`} size="md" />
    </div>
  )
}
