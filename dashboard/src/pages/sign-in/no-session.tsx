import { useEffect } from 'react'
import { sessionBody } from '../../../../src/protocol/api/session-schema.ts'
import { get } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { Alone } from './alone.tsx'

const retryMs = 3000

/** Whether the error comes from the service itself, and not from the network or a proxy on the way. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.code !== 'unreachable' && error.code !== 'unreadable'

/**
 * The page while it is not known who is signed in, because the service or its database is away.
 * @param onReturn called as soon as the service answers again. Until then the page asks by itself, so that the error
 *   stays readable in the meantime
 */
export function NoSession({ error, onReturn }: { readonly error: unknown; readonly onReturn: () => unknown }) {
  useEffect(() => {
    const ask = () =>
      get('/api/session', sessionBody).then(
        () => void onReturn(),
        () => undefined
      )
    const timer = window.setInterval(() => void ask(), retryMs)
    return () => window.clearInterval(timer)
  }, [onReturn])
  const title = isAnswer(error) ? 'The service cannot show this page now' : 'The service cannot be reached'
  return (
    <Alone title={title} about="The page opens by itself as soon as it can.">
      <ErrorBox
        error={error}
        title={isAnswer(error) ? 'The service says' : 'No answer'}
        onRetry={() => void onReturn()}
      />
    </Alone>
  )
}
