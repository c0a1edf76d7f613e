import { Alert, Anchor, Text } from '@mantine/core'
import type { SessionBody } from '../../../../src/protocol/api/session-schema.ts'
import { Icon } from '../../components/icons.tsx'

/** Whether the browser would drop the cookie of a session: it is for TLS, and this page came without. */
export function isKeptNowhere(
  session: SessionBody | undefined
): session is SessionBody & { readonly secureUrl: string } {
  // Browsers take loopback addresses for safe, and most keep such a cookie there; of others the sign-in itself tells.
  return session !== undefined && session.secureUrl !== null && !window.isSecureContext
}

/** Says why nobody can sign in here, in the place of a form that would end where it began. */
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
