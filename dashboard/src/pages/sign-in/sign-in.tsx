import { Alert } from '@mantine/core'
import { Navigate, useSearchParams } from 'react-router'
import { signInProblems, type SignInProblem } from '../../../../src/protocol/api/session-schema.ts'
import { useSession } from '../../api/session.ts'
import { Icon } from '../../components/icons.tsx'
import { Loading } from '../../components/loading.tsx'
import { Alone } from './alone.tsx'
import { NoSession } from './no-session.tsx'
import { isKeptNowhere, PlainHttp } from './plain-http.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Messages for the values of `problem`, with which the service reports that signing in through the provider failed. */
const problems: Readonly<Record<SignInProblem, string>> = {
  oidc_unreachable:
    'The sign-in provider cannot be reached at the moment. Try again, or sign in with a password if you have one.',
  oidc_refused: 'The sign-in provider did not sign you in.',
  oidc_no_role:
    'You are known to the sign-in provider, but none of your groups has a role here. Ask an admin of this service.',
  oidc_expired: 'The sign-in took too long or was begun in another browser. Try again.',
  oidc_disabled: 'Your user was disabled here. Ask an admin of this service.',
  bad_return: 'The address to return to is too long, or not on this service. Sign in here, and open the page again.'
}

export function SignInPage() {
  const { data: session, error, refetch } = useSession()
  const [parameters] = useSearchParams()
  const next = localPath(parameters.get('next'))
  if (!session) {
    return error ? <NoSession error={error} onReturn={refetch} /> : <Loading isPage />
  }
  if (session.user) return <Navigate to={next} replace />
  if (session.setupNeeded && !session.oidc) return <Navigate to="/setup" replace />
  const problem = parameters.get('problem')
  return (
    <Alone title="Sign in" about={session.workspace?.name}>
      {problem === null ? null : (
        <Alert
          role="alert"
          color="orange"
          variant="light"
          icon={<Icon name="warning" />}
          mb="md"
          title="You are not signed in"
        >
          {isSignInProblem(problem) ? problems[problem] : 'Signing in did not work. Try again.'}
        </Alert>
      )}
      {isKeptNowhere(session) ? <PlainHttp url={session.secureUrl} /> : <SignInForm next={next} />}
    </Alone>
  )
}

const isSignInProblem = (text: string): text is SignInProblem => signInProblems.includes(text as SignInProblem)

/** A path of this dashboard. Anything else (another host above all) leads to the overview. */
function localPath(text: string | null): string {
  if (text === null || !/^\/(?![/\\])/.test(text)) return '/'
  return new URL(text, location.origin).origin === location.origin ? text : '/'
}
