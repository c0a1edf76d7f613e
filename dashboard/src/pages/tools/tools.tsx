import './tools.css'
import { Anchor, Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { toolsBody, type ToolsBody } from '../../../../src/protocol/system-schema.ts'
import { get, withQuery } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { ActionBadge, StateBadge } from '../../components/badges.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { formatCount, formatName, formatWord } from '../../components/format.ts'
import { Loading } from '../../components/loading.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import type { Documents } from '../policy/documents.ts'
import { useDraft, type PolicyDraft } from '../policy/use-draft.ts'
import { driftWords, isApprovable, listedServers, withPin } from './pins.ts'

type Server = ToolsBody['servers'][number]
type Tool = Server['tools'][number]

const spans = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' }
]

/** The tools of agents by server: how often they were called, what was decided, and whether they are still what they were. */
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
              {drifted === 1 ? '1 tool is not what was trusted' : `${drifted} tools are not what was trusted`}
            </StateBadge>
          </div>
        ) : null}
        {data ? <Servers body={data} from={from} /> : error ? null : <Loading />}
        {data?.isCut ? (
          <Text size="sm" c="dimmed">
            There were more events than are looked at; these are of the newest.
          </Text>
        ) : null}
      </Stack>
    </Page>
  )
}

function Servers({ body, from }: { readonly body: ToolsBody; readonly from: string }) {
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
          Tools show up here as soon as an MCP proxy or another sensor tells of a call or lists what its server offers.
        </EmptyState>
      </Section>
    )
  }
  return body.servers
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((server) => <ServerTools key={server.server} server={server} from={from} />)
}

/** Those that need somebody first, and what no sensor named last. */
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

/** Writes the pin into the draft and leads there, where it is looked at and published. */
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
    <Modal opened onClose={onClose} title={`Approve the change of ${formatName(tool.tool)}?`}>
      <Stack gap="md">
        <Text size="sm">
          What its server says now becomes a pin in your draft of the policy, and holds when that is published. The pin
          covers:
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
              Mend or discard it first
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
    </Modal>
  )
}

const effects = { allow: 'good', ask: 'warn', deny: 'bad' } as const

const columnsOf = (from: string, approve: ((tool: Tool) => void) | undefined): readonly Column<Tool>[] => [
  { title: 'Tool', cell: ({ tool }) => <span className="mono wrap">{formatName(tool)}</span> },
  { title: 'Calls', cell: (tool) => <Calls tool={tool} from={from} /> },
  {
    title: 'Decision',
    cell: ({ effect, isConditional }) =>
      effect === null ? (
        ''
      ) : (
        <>
          <StateBadge state={effects[effect]}>{effect}</StateBadge>
          {isConditional ? <div className="dimmed">or stricter, by its arguments</div> : null}
        </>
      )
  },
  {
    title: 'Last by',
    cell: ({ lastRuleId, lastReasonCode }) => (
      <>
        {lastRuleId === null ? (
          <span className="dimmed">no rule</span>
        ) : (
          <>
            rule <span className="mono">{lastRuleId}</span>
          </>
        )}
        {lastReasonCode === null ? null : <div className="dimmed">{formatWord(lastReasonCode)}</div>}
      </>
    )
  },
  {
    title: 'Last call',
    cell: ({ lastAt, lastRequestId }) =>
      lastAt === null ? (
        ''
      ) : lastRequestId === null ? (
        <Time at={lastAt} ago />
      ) : (
        <Anchor component={Link} to={`/requests/${encodeURIComponent(lastRequestId)}`} size="sm">
          <Time at={lastAt} ago />
        </Anchor>
      )
  },
  {
    title: 'Definition',
    cell: (tool) => (
      <Group gap={6}>
        {tool.drifts.length > 0 ? (
          <StateBadge state="bad">
            {`changed: ${tool.drifts.map(({ reasonCode }) => driftWords[reasonCode ?? ''] ?? reasonCode ?? '').join(', ')}`}
          </StateBadge>
        ) : tool.isPinned ? (
          <StateBadge state="good">pinned</StateBadge>
        ) : (
          <span className="dimmed">not pinned</span>
        )}
        {approve && tool.drifts.some(isApprovable) ? (
          <Button size="compact-xs" variant="default" onClick={() => approve(tool)}>
            Approve<span className="visually-hidden"> {formatName(tool.tool)}</span>
          </Button>
        ) : null}
      </Group>
    )
  }
]

/** Each number leads to its events. */
function Calls({ tool, from }: { readonly tool: Tool; readonly from: string }) {
  const shown = (['block', 'mask', 'allow'] as const).filter((action) => tool.calls[action] > 0)
  if (shown.length === 0) return <span className="dimmed">none</span>
  return (
    <Group gap={8} wrap="nowrap">
      {shown.map((action) => (
        <Link
          key={action}
          to={withQuery('/search', { kind: 'tool_call_enforcement', mcpToolName: tool.tool, from, action })}
          className="count-link"
        >
          <ActionBadge action={action} /> <span className="tabular">{formatCount(tool.calls[action])}</span>
        </Link>
      ))}
    </Group>
  )
}
