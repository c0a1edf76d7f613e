import { Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { useMay } from '../../../api/session.ts'
import { ErrorBox } from '../../../components/error-box.tsx'
import { Section } from '../../../components/page.tsx'
import { FindingList } from '../findings.tsx'
import type { PolicyDraft } from '../use-draft.ts'
import { useLint } from '../use-lint.ts'
import { PolicyEditor, type EditorHandle } from './policy-editor.tsx'

const noFindings: never[] = []

/** The whole policy as JSON. */
export function EditorView({ draft }: { readonly draft: PolicyDraft }) {
  const mayTry = useMay('policy:try')
  const { report, isCurrent, error } = useLint(draft.text)
  const editor = useRef<EditorHandle>(null)
  const findings = isCurrent ? (report?.findings ?? noFindings) : noFindings
  return (
    <Stack gap="md">
      <PolicyEditor
        ref={editor}
        text={draft.text}
        isReadOnly={!mayTry}
        findings={findings}
        onChange={(text) => draft.setText(text)}
      />
      {mayTry ? (
        <Section title="Remarks of the service">
          <ErrorBox error={error} title="The draft could not be checked" />
          {'problem' in draft.read ? (
            <Text size="sm">{draft.read.problem}</Text>
          ) : findings.length > 0 ? (
            <FindingList findings={findings} onShow={(path) => editor.current?.show(path)} />
          ) : (
            <Text size="sm" c="dimmed" role="status">
              {isCurrent && report ? 'The policy can be published. No remarks.' : 'Checking …'}
            </Text>
          )}
          {report && report.leftOut > 0 ? (
            <Text size="sm" c="dimmed" mt="xs">
              {report.leftOut} more are not shown.
            </Text>
          ) : null}
        </Section>
      ) : null}
    </Stack>
  )
}
