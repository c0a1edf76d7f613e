import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Mark } from '../../components/icons.tsx'
import { ThemeSwitch } from '../../shell/theme-switch.tsx'

/** A page without navigation: one thing to do, in the middle. */
export function Alone({
  title,
  about,
  children
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
}) {
  useDocumentTitle(`${title} · Sluice`)
  return (
    <div className="alone-page">
      <div className="alone-corner">
        <ThemeSwitch />
      </div>
      <main className="alone">
        <div className="alone-brand">
          <Mark size={34} />
          <span>Sluice</span>
        </div>
        <div className="card alone-card">
          <Title order={1} size={19} mb={4}>
            {title}
          </Title>
          {about === undefined ? null : (
            <Text size="sm" c="dimmed" mb="md">
              {about}
            </Text>
          )}
          {children}
        </div>
      </main>
    </div>
  )
}
