/** The columns of a tool's row. */
import { Anchor, Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import type { ToolsBody } from '../../../../src/protocol/api/system-schema.ts'
import { withQuery } from '../../api/client.ts'
import { ActionBadge, StateBadge } from '../../components/badges.tsx'
import type { Column } from '../../components/data-table.tsx'
import { formatCount, formatName } from '../../components/format.ts'
import { sayReason } from '../../components/reason-words.ts'
import { Time } from '../../components/time.tsx'
import { driftWords, isApprovable } from './pins.ts'

type Tool = ToolsBody['servers'][number]['tools'][number]

/** The most severe first. */
const actions = ['block', 'mask', 'allow'] as const
const sumOf = (calls: Tool['calls']): number => calls.allow + calls.mask + calls.block

const effects = { allow: 'good', ask: 'warn', deny: 'bad' } as const

/**
 * The same widths in the table of every server, so that their columns stand under each other.
 * @param approve opens the approval of a change; undefined without the permission
 */
export const columnsOf = (from: string, approve: ((tool: Tool) => void) | undefined): readonly Column<Tool>[] => [
  {
    title: 'Tool',
    width: '16.5%',
    minWidth: 170,
    cell: ({ tool }) => <span className="mono wrap">{formatName(tool)}</span>
  },
  { title: 'Calls', width: '24%', minWidth: 246, cell: (tool) => <Calls tool={tool} from={from} /> },
  {
    title: 'Policy says',
    width: '11%',
    cell: ({ effect, isConditional }) => (
      <>
        <StateBadge state={effects[effect]}>{effect}</StateBadge>
        {isConditional ? <div className="dimmed">or stricter, by its arguments</div> : null}
      </>
    )
  },
  { title: 'Decided by', width: '21%', minWidth: 220, cell: (tool) => <DecidedBy tool={tool} /> },
  {
    title: 'Last call',
    width: '9.5%',
    minWidth: 104,
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
    width: '18%',
    minWidth: 182,
    cell: (tool) => (
      <Group gap={6}>
        {tool.drifts.length > 0 ? (
          <StateBadge state="bad">
            {`changed: ${tool.drifts.map(({ reasonCode }) => driftWords[reasonCode ?? ''] ?? reasonCode ?? '').join(', ')}`}
          </StateBadge>
        ) : tool.isPinned ? (
          <StateBadge state="good">pinned</StateBadge>
        ) : (
          <span className="dimmed nowrap">not pinned</span>
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

/** Each number links to its events. */
function Calls({ tool, from }: { readonly tool: Tool; readonly from: string }) {
  const shown = actions.filter((action) => tool.calls[action] > 0)
  if (shown.length === 0) return <span className="dimmed">none</span>
  return (
    <Group gap={8} wrap="nowrap">
      {shown.map((action) => (
        <Link
          key={action}
          to={withQuery('/search', { kind: 'tool_call_enforcement', mcpToolName: tool.tool, from, action })}
          className="count-link nowrap"
        >
          <ActionBadge action={action} /> <span className="tabular">{formatCount(tool.calls[action])}</span>
        </Link>
      ))}
    </Group>
  )
}

/** Rules that are shown at first; a tool with more shows the others on demand. */
const rulesShown = 3

/** The deciding rules with their outcomes, most decisions first. */
function DecidedBy({ tool: { calls, rules, lastReasonCode } }: { readonly tool: Tool }) {
  const untold = sumOf(calls) - rules.reduce((sum, rule) => sum + sumOf(rule.calls), 0)
  if (rules.length === 0 && untold <= 0) return null
  const [first, more] = [rules.slice(0, rulesShown), rules.slice(rulesShown)]
  return (
    <>
      <RuleList rules={first} />
      {more.length > 0 ? (
        <details>
          <summary>{more.length === 1 ? '1 more rule' : `${more.length} more rules`}</summary>
          <RuleList rules={more} />
        </details>
      ) : null}
      {untold > 0 ? <div className="dimmed">{formatCount(untold)} by rules that are not told apart</div> : null}
      {lastReasonCode === null ? null : <div className="dimmed">last: {sayReason(lastReasonCode)}</div>}
    </>
  )
}

const RuleList = ({ rules }: { readonly rules: Tool['rules'] }) => (
  <ul className="decided-by">
    {rules.map(({ ruleId, calls }) => (
      <li key={ruleId ?? ''}>
        {ruleId === null ? <span className="dimmed">no rule</span> : <span className="mono wrap">{ruleId}</span>}
        {actions
          .filter((action) => calls[action] > 0)
          .map((action) => (
            <span key={action} className="nowrap">
              <ActionBadge action={action} /> <span className="tabular">{formatCount(calls[action])}</span>
            </span>
          ))}
      </li>
    ))}
  </ul>
)
