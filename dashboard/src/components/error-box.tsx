import { Alert, Button, Group, List, Text } from '@mantine/core'
import { ApiError } from '../api/problem.ts'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icons.tsx'

/**
 * An error in words, with its request ID and, if a retry is given, a button for it. What can be retried here was asked
 * by the page itself, which asks again when the service is back; anything else somebody started, and must start again.
 */
export function ErrorBox({
  error,
  title = 'Something went wrong',
  onRetry
}: {
  readonly error: unknown
  readonly title?: string
  readonly onRetry?: (() => void) | undefined
}) {
  if (error === null || error === undefined) return null
  const { message, requestId, faults, code } = describe(error)
  const advice = code === 'unreachable' ? (onRetry ? ' The page retries by itself.' : ' Try again in a moment.') : ''
  return (
    <Alert
      role="alert"
      color="orange"
      variant="light"
      icon={<Icon name="warning" />}
      title={title}
      className="error-box"
    >
      <Text size="sm">
        {message}
        {advice}
      </Text>
      {faults.length === 0 ? null : (
        <List size="sm" mt={6}>
          {faults.map((fault, place) => (
            <List.Item key={place}>
              {fault.message}
              {fault.path === '' || fault.message.includes(fault.path) ? null : (
                <span className="mono"> {fault.path}</span>
              )}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="xs" mt={onRetry || requestId ? 8 : 0}>
        {onRetry ? (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        {requestId === undefined ? null : (
          <Group gap={4} wrap="nowrap">
            <Text size="xs">
              Request <span className="mono">{requestId}</span>
            </Text>
            <CopyButton value={requestId} label="Copy the request ID" />
          </Group>
        )}
      </Group>
    </Alert>
  )
}

function describe(error: unknown): Pick<ApiError, 'message' | 'requestId' | 'faults' | 'code'> {
  if (error instanceof ApiError) return error
  return {
    message: 'The page itself failed. Reload it; if it happens again, report it.',
    requestId: undefined,
    faults: [],
    code: 'page_failed'
  }
}
