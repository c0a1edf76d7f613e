import { Group, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

/** A page: its title (also the browser's), a line that says what it is for, and its main controls on the right. */
export function Page({
  title,
  about,
  controls,
  children
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly controls?: ReactNode
  readonly children: ReactNode
}) {
  useDocumentTitle(`${title} · Sluice`)
  return (
    <>
      <Group justify="space-between" align="flex-end" gap="sm" mb="md">
        <div>
          <Title order={1} size={22} lh={1.3}>
            {title}
          </Title>
          {about === undefined ? null : (
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          )}
        </div>
        {controls === undefined ? null : <Group gap="xs">{controls}</Group>}
      </Group>
      {children}
    </>
  )
}

/** A framed part of a page with its own heading. `flush` removes the padding, for tables. */
export function Section({
  title,
  about,
  controls,
  flush = false,
  children
}: {
  readonly title?: string
  readonly about?: ReactNode
  readonly controls?: ReactNode
  readonly flush?: boolean
  readonly children: ReactNode
}) {
  return (
    <section className="card" aria-label={title}>
      {title === undefined && controls === undefined ? null : (
        <Group justify="space-between" gap="xs" px="md" pt={12} pb={flush ? 10 : 4}>
          <div>
            {title === undefined ? null : (
              <Title order={2} size={15}>
                {title}
              </Title>
            )}
            {about === undefined ? null : (
              <Text size="xs" c="dimmed">
                {about}
              </Text>
            )}
          </div>
          {controls}
        </Group>
      )}
      <div className={flush ? 'section-flush' : 'section-body'}>{children}</div>
    </section>
  )
}
