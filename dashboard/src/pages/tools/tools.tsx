import './tools.css'
import { Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { toolsBody, type ToolsBody } from '../../../../src/protocol/api/system-schema.ts'
import { get } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { StateBadge } from '../../components/badges.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { formatName } from '../../components/format.ts'
import { Loading } from '../../components/loading.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import type { Documents } from '../policy/documents.ts'
import { useDraft, type PolicyDraft } from '../policy/use-draft.ts'
import { driftWords, isApprovable, listedServers, withPin } from './pins.ts'
import { columnsOf } from './tool-columns.tsx'

type Server = ToolsBody['servers'][number]
type Tool = Server['tools'][number]

const spans = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' }
]

/**
 * The tools of agents by server: how often they were called, what was decided, and whether their definitions have
 * changed.
 */
export function ToolsPage() {
  const [parameters, setParameters] = useSearchParams()
  const from = parameters.get('from') ?? '7d'
  const { data, error, refetch } = useQuery({
    queryKey: ['tools', from],
    queryFn: ({ signal }) => get('/api/tools', toolsBody, { query: { from }, signal }),
    refetchInterval: 30_000
  })
  const drifted = data?.servers.flatMap(({ tools }) => tools.filter(({ drifts }) => drifts.length > 0)).length ?? 0
  return (
    <Page
      title="Tools"
      about="What agents called and what servers offer, by server."
      controls={
        <SegmentedControl
          aria-label="Time"
          size="xs"
          data={spans}
          value={from}
          onChange={(value) => setParameters({ from: value })}
        />
      }
    >
      <Stack gap="md">
        <ErrorBox error={error} onRetry={() => void refetch()} />
        {drifted > 0 ? (
          <div>
            <StateBadge state="bad">
              {drifted === 1
                ? '1 tool differs from its trusted definition'
                : `${drifted} tools differ from their trusted definitions`}
            </StateBadge>
          </div>
        ) : null}
        {data ? <Servers body={data} from={from} /> : error ? null : <Loading />}
        {data?.isCut ? (
          <Text size="sm" c="dimmed">
            Counts include all calls. Last calls, lists and changes come from the newest events.
          </Text>
        ) : null}
      </Stack>
    </Page>
  )
}

/** Servers that are rendered at once; the others follow when the browser is idle, without delaying readers. */
const serversAtOnce = 3

function Servers({ body, from }: { readonly body: ToolsBody; readonly from: string }) {
  const servers = useMemo(() => body.servers.toSorted((a, b) => rankOf(a) - rankOf(b)), [body])
  const shown = useDeferredValue(servers, servers.slice(0, serversAtOnce))
  if (body.servers.length === 0) {
    return (
      <Section>
        <EmptyState
          icon="tools"
          title="No tool was called in this time"
          action={
            <Button component={Link} to="/policy" variant="default">
              See the rules for tools
            </Button>
          }
        >
          Tools appear here as soon as an MCP proxy or another sensor reports a call or lists what its server offers.
        </EmptyState>
      </Section>
    )
  }
  return shown.map((server) => <ServerTools key={server.server} server={server} from={from} />)
}

/** Those that need attention first, and those without a recent report last. */
const rankOf = ({ server, tools }: Server): number =>
  tools.some(({ drifts }) => drifts.length > 0) ? 0 : server === 'unknown' ? 2 : 1

function ServerTools({
  server: { server, label, listedAt, tools },
  from
}: {
  readonly server: Server
  readonly from: string
}) {
  const mayWrite = useMay('policy:write')
  const [approved, setApproved] = useState<Tool | null>(null)
  const name = server === 'unknown' ? 'Servers that the policy does not list' : formatName(server)
  return (
    <Section
      flush
      title={label === null || label === server ? name : `${name} (${formatName(label)})`}
      about={
        <>
          {tools.length === 1 ? '1 tool' : `${tools.length} tools`}
          {listedAt === null ? null : (
            <>
              , last listed <Time at={listedAt} ago />
            </>
          )}
        </>
      }
    >
      <DataTable
        label={`Tools of ${server}`}
        columns={columnsOf(from, mayWrite ? setApproved : undefined)}
        rows={tools}
        rowKey={({ tool }) => tool}
        empty={null}
      />
      {approved ? <ApprovePin server={server} tool={approved} onClose={() => setApproved(null)} /> : null}
    </Section>
  )
}

/** Adds the pin to the draft and opens it, for review and publication. */
function ApprovePin({
  server,
  tool,
  onClose
}: {
  readonly server: string
  readonly tool: Tool
  readonly onClose: () => void
}) {
  const { draft, error } = useDraft()
  const navigate = useNavigate()
  const changed = tool.drifts.filter(isApprovable)
  const documents = draft && 'documents' in draft.read ? draft.read.documents : undefined
  const isListed = documents !== undefined && listedServers(documents).includes(server)
  const add = (documents: Documents, to: PolicyDraft): void => {
    to.setDocuments(withPin(documents, server, tool.tool, changed), `Approves ${tool.tool} of ${server}.`)
    void navigate('/policy')
  }
  return (
    <Dialog onClose={onClose} title={`Approve the change of ${formatName(tool.tool)}?`}>
      <Stack gap="md">
        <Text size="sm">
          The new definition becomes a pin in your draft of the policy, and takes effect when you publish the draft. The
          pin covers:
        </Text>
        <ul className="drift-list">
          {changed.map(({ reasonCode, after }) => (
            <li key={reasonCode}>
              {driftWords[reasonCode ?? '']}{' '}
              <span className="mono dimmed">{after === null ? 'no longer there' : after.slice(0, 16)}</span>
            </li>
          ))}
        </ul>
        <ErrorBox error={error} />
        {draft && 'problem' in draft.read ? (
          <Text size="sm">
            Your draft cannot be read yet.{' '}
            <Anchor component={Link} to="/policy/editor" inherit>
              Fix or discard it first
            </Anchor>
            .
          </Text>
        ) : null}
        {documents && !isListed ? (
          <Text size="sm">
            Pins belong to servers that the policy lists.{' '}
            <Anchor component={Link} to="/policy/editor" inherit>
              List the server in the policy first
            </Anchor>
            .
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!isListed}
            onClick={() => {
              if (draft && documents) add(documents, draft)
            }}
          >
            Add it to the draft
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
