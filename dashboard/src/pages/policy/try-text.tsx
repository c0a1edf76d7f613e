import { Button, Group, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { textOrigins } from '../../../../src/policy/redaction/text-place.ts'
import { sampleReasons, scanBody, type ScanBody } from '../../../../src/protocol/api/policy-schema.ts'
import { send } from '../../api/client.ts'
import { ActionBadge, TierBadge } from '../../components/badges.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { formatCount, formatWord } from '../../components/format.ts'
import { Section } from '../../components/page.tsx'
import type { PolicyDraft } from './use-draft.ts'

interface Tried extends ScanBody {
  readonly text: string
}

/** Shows the masked form of a text. Nothing of it is stored, here or there. */
export function TryTextView({ draft }: { readonly draft: PolicyDraft }) {
  const [text, setText] = useState('')
  const [origin, setOrigin] = useState<string>('user')
  const profile = 'documents' in draft.read ? draft.read.documents.redactionProfile : undefined
  const scan = useMutation({
    mutationFn: async (): Promise<Tried> => {
      const body = { text, origin, ...(draft.isChanged && profile ? { redactionProfile: profile } : {}) }
      return { ...(await send('POST', '/api/workspace/scan', scanBody, { body })).body, text }
    }
  })
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Section
        title="Text"
        about={`Tested against ${draft.isChanged && profile ? 'your draft' : 'the policy in force'}. Nothing is stored.`}
      >
        <Stack gap="sm">
          <Textarea
            label="Paste what an agent might send"
            autosize
            minRows={8}
            maxRows={20}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) scan.mutate()
            }}
          />
          <Group align="flex-end" gap="sm">
            <Select
              label="Part of the request"
              data={textOrigins.map((value) => ({ value, label: formatWord(value) }))}
              value={origin}
              allowDeselect={false}
              onChange={(value) => setOrigin(value ?? 'user')}
            />
            <Button disabled={text === ''} loading={scan.isPending} onClick={() => scan.mutate()}>
              Try it
            </Button>
          </Group>
        </Stack>
      </Section>
      <Section title="Result" {...(scan.data && { controls: <ActionBadge action={scan.data.action} /> })}>
        <ErrorBox error={scan.error} title="The test failed" />
        {scan.data ? (
          <ShownText tried={scan.data} />
        ) : (
          <Text size="sm" c="dimmed">
            Try a text to see the findings and the masked form.
          </Text>
        )}
      </Section>
    </SimpleGrid>
  )
}

function ShownText({ tried }: { readonly tried: Tried }) {
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={560} mb={4}>
          Findings
        </Text>
        <MarkedText tried={tried} />
      </div>
      <div>
        <Group gap={4} mb={4} wrap="nowrap">
          <Text size="sm" fw={560}>
            {tried.action === 'block'
              ? 'Masked form (the request itself would be blocked)'
              : 'What the model would receive'}
          </Text>
          <CopyButton value={tried.masked} label="Copy the masked text" />
        </Group>
        {/* Long texts scroll, and what scrolls must be reachable by keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre className="marked-text" tabIndex={0} aria-label="Masked form">
          {tried.masked}
        </pre>
      </div>
      {tried.leftOut > 0 ? (
        <Text size="sm" c="dimmed">
          The first {formatCount(tried.findings.length)} findings are listed and marked; {formatCount(tried.leftOut)}{' '}
          more are not shown. The masked form heeds all of them.
        </Text>
      ) : null}
      {tried.samples.length > 0 ? <KnownSamples tried={tried} /> : null}
      <DataTable
        label="Findings"
        columns={columns}
        rows={tried.findings}
        rowKey={({ start, kind }) => `${start} ${kind}`}
        empty={
          <Text size="sm" c="dimmed">
            Nothing was found.
          </Text>
        }
      />
    </Stack>
  )
}

/** Explains why well-known values are not masked. People who try Sluice often begin with them. */
function KnownSamples({ tried: { text, samples } }: { readonly tried: Tried }) {
  return (
    <Text component="div" size="sm" c="dimmed">
      Never masked, because these are public samples. Test with values of your own.
      <ul className="known-samples">
        {samples.map(({ start, end, reason }) => (
          <li key={start}>
            <span className="mono">{text.slice(start, end)}</span>: {sampleReasons[reason]}
          </li>
        ))}
      </ul>
    </Text>
  )
}

function MarkedText({ tried: { text, findings } }: { readonly tried: Tried }) {
  const parts = []
  let from = 0
  for (const { start, end, kind, action } of findings.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue
    parts.push(
      text.slice(from, start),
      <mark key={start} data-action={action} title={`${kind}: ${actionWords[action]}`}>
        {text.slice(start, end)}
      </mark>
    )
    from = end
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="marked-text" tabIndex={0} aria-label="The text with its findings marked">
      {parts}
      {text.slice(from)}
    </pre>
  )
}

const actionWords = { block: 'blocked', mask: 'masked', allow: 'left unchanged' } as const

const columns: readonly Column<ScanBody['findings'][number]>[] = [
  { title: 'Kind', cell: ({ kind }) => <span className="mono">{kind}</span> },
  { title: 'Place', cell: ({ start, end }) => <span className="nowrap">{`${start}–${end}`}</span> },
  { title: 'Action', cell: ({ action }) => <ActionBadge action={action} /> },
  {
    title: 'Tier and confidence',
    cell: ({ tier, confidence }) => (
      <Group gap={6}>
        <TierBadge tier={tier} />
        <span className="dimmed">{confidence}</span>
      </Group>
    )
  }
]
