import { Alert, Anchor, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useMay } from '../../../api/session.ts'
import { Icon } from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import type { Documents } from '../documents.ts'
import type { PolicyDraft } from '../use-draft.ts'
import { AllowForm } from './allow-form.tsx'
import { KindActions } from './kind-actions.tsx'
import { ModeForm } from './mode-form.tsx'
import { ToolRules } from './tool-rules.tsx'

/** What a part of the form needs: the documents, and a way to change them. */
export interface FormProps {
  readonly documents: Documents
  readonly onChange: (documents: Documents) => void
}

/**
 * The settings that are changed most often, as a form. All others stay as they are, and can be changed in the editor.
 */
export function FormView({ draft }: { readonly draft: PolicyDraft }) {
  const mayWrite = useMay('policy:write')
  const mayTry = useMay('policy:try')
  if (!('documents' in draft.read)) {
    return (
      <Alert
        color="orange"
        className="warn-box"
        icon={<Icon name="warning" />}
        title="The draft cannot be shown as a form yet"
      >
        {draft.read.problem}{' '}
        <Anchor component={Link} to="/policy/editor" inherit>
          Fix it in the editor
        </Anchor>
        .
      </Alert>
    )
  }
  const props: FormProps = { documents: draft.read.documents, onChange: draft.setDocuments }
  return (
    <Fieldset variant="unstyled" m={0} miw={0} disabled={!mayWrite && !mayTry}>
      <Stack gap="md">
        {mayWrite ? null : (
          <Text size="sm" c="dimmed">
            {mayTry
              ? 'You can try changes here. Only policy editors and admins can publish them.'
              : 'You can read the policy. Only policy editors and admins can change it.'}
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <Section title="How it is enforced">
            <ModeForm {...props} />
          </Section>
          <Section
            title="Allowlist and deny list"
            about="Values that are left unchanged, and words that are always masked."
          >
            <AllowForm {...props} />
          </Section>
        </SimpleGrid>
        <Section title="Actions" about="Actions that differ from the preset.">
          <KindActions {...props} />
        </Section>
        <Section
          title="Tools"
          about="Which tools agents may call. Among all matching rules, deny overrides ask, which overrides allow."
        >
          <ToolRules {...props} />
        </Section>
      </Stack>
    </Fieldset>
  )
}
