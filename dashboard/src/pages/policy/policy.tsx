import './policy.css'
import { Text } from '@mantine/core'
import { queryOptions, usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { ViewLinks } from '../../components/view-links.tsx'
import { formatName } from '../../components/format.ts'
import { ConvergenceBar, ConvergenceView } from './convergence.tsx'
import { DraftStrip } from './draft-strip.tsx'
import { DryRunView } from './dry-run.tsx'
import { FormView } from './form/form-view.tsx'
import { HistoryView } from './history.tsx'
import { TryTextView } from './try-text.tsx'
import { sensorsQuery } from './policy-queries.ts'
import { useDraft, type PolicyDraft } from './use-draft.ts'

/**
 * The editor, which is most of the page's code. It is not a `lazy` component: React shows suspended content at least
 * 300 ms after its placeholder.
 */
const editorQuery = queryOptions({
  queryKey: ['policy-editor'],
  queryFn: () => import('./editor/editor-view.tsx'),
  staleTime: Infinity,
  throwOnError: true
})

export function PolicyPage() {
  const state = useDraft()
  // Every view shows how far the policy has spread: requested together with the policy, and not after it.
  usePrefetchQuery(sensorsQuery)
  return (
    <Page title="Policy" about="What is masked and blocked, and which tools agents may call.">
      {state.draft ? (
        <PolicyViews draft={state.draft} />
      ) : state.error ? (
        <ErrorBox error={state.error} onRetry={state.retry} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function PolicyViews({ draft }: { readonly draft: PolicyDraft }) {
  const mayTry = useMay('policy:try')
  const maySeeSensors = useMay('audit:read')
  return (
    <>
      <InForce draft={draft} />
      <DraftStrip draft={draft} />
      <ViewLinks
        path="/policy"
        views={[
          { name: '', title: 'Settings', content: <FormView draft={draft} /> },
          { name: 'editor', title: 'Editor', content: <Editor draft={draft} /> },
          { name: 'try', title: 'Try a text', content: <TryTextView draft={draft} />, isBarred: !mayTry },
          { name: 'dry-run', title: 'Dry run', content: <DryRunView draft={draft} />, isBarred: !mayTry },
          { name: 'history', title: 'History', content: <HistoryView draft={draft} /> },
          { name: 'sensors', title: 'Sensors', content: <ConvergenceView />, isBarred: !maySeeSensors }
        ]}
      />
    </>
  )
}

function Editor({ draft }: { readonly draft: PolicyDraft }) {
  const { data } = useQuery(editorQuery)
  return data ? <data.EditorView draft={draft} /> : <Loading />
}

function InForce({ draft: { current } }: { readonly draft: PolicyDraft }) {
  return (
    <section className="card in-force" aria-label="The policy in force">
      <div>
        <Text size="sm">
          Revision{' '}
          <b className="tabular" title={current.revision}>
            {current.sequence}
          </b>{' '}
          is in force, published <Time at={current.publishedAt} ago /> by <span className="mono">{current.author}</span>
        </Text>
        <Text size="sm" c="dimmed" truncate title={formatName(current.note)}>
          {current.note === '' ? 'No note.' : formatName(current.note)}
        </Text>
      </div>
      <ConvergenceBar />
    </section>
  )
}
