import { Alert, Anchor, Text } from '@mantine/core'
import type { SessionBody } from '../../../../src/protocol/api/session-schema.ts'
import { Icon } from '../../components/icons.tsx'

/** Whether the browser would drop the session cookie: it is restricted to TLS, and this page came over plain http. */
export function isKeptNowhere(
  session: SessionBody | undefined
): session is SessionBody & { readonly secureUrl: string } {
  // Browsers consider loopback addresses secure, and most keep such a cookie there; in others, signing in shows it.
  return session !== undefined && session.secureUrl !== null && !window.isSecureContext
}

/** Explains why nobody can sign in here, instead of a form that would lead back to itself. */
export function PlainHttp({ url }: { readonly url: string }) {
  const there = `${url}${location.pathname}${location.search}${location.hash}`
  return (
    <Alert
      role="alert"
      color="orange"
      variant="light"
      icon={<Icon name="warning" />}
      title="Nobody can sign in at this address"
    >
      <Text size="sm" mb="xs">
        This page was opened over plain http, but sessions of this service work only over https. Go to{' '}
        <Anchor href={there} inherit>
          {url}
        </Anchor>
        .
      </Text>
      <Text size="sm" c="dimmed">
        If that does not lead here, SERVICE_PUBLIC_URL is not the address that people use. Ask the operator to correct
        it.
      </Text>
    </Alert>
  )
}
