import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMay } from '../../api/session.ts'
import { StateBadge } from '../../components/badges.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icons.tsx'
import { ChangeList, useChanges } from './changes.tsx'
import { ConflictDialog } from './conflict.tsx'
import type { Documents } from './documents.ts'
import { PublishDialog } from './publish-dialog.tsx'
import type { PolicyDraft } from './use-draft.ts'
import { useLint } from './use-lint.ts'

/** Shown above all views while there is a draft: what it changes, whether it can be published, and the options. */
export function DraftStrip({ draft }: { readonly draft: PolicyDraft }) {
  if (!draft.isChanged) return null
  return (
    <section
      className="draft-strip"
      aria-label="Your draft"
      data-problem={draft.isOverTaken || !('documents' in draft.read)}
    >
      <Icon name={draft.isOverTaken ? 'warning' : 'flag'} />
      {'documents' in draft.read ? (
        <ReadableDraft draft={draft} documents={draft.read.documents} />
      ) : (
        <>
          <span className="draft-strip-text">
            Your draft cannot be read yet: {draft.read.problem} It is kept in this browser.
          </span>
          <Discard draft={draft} />
        </>
      )}
    </section>
  )
}

function ReadableDraft({ draft, documents }: { readonly draft: PolicyDraft; readonly documents: Documents }) {
  const mayPublish = useMay('policy:write')
  const changes = useChanges(draft.base, documents)
  const { report } = useLint(draft.text)
  const [isPublishing, publishing] = useDisclosure(false)
  const [isResolving, resolving] = useDisclosure(false)
  const [isListed, listing] = useDisclosure(false)
  const softening = changes.filter(({ softens }) => softens).length
  const errors = report?.findings.filter(({ severity }) => severity === 'error').length ?? 0
  return (
    <>
      <span className="draft-strip-text">
        {draft.isOverTaken ? (
          <>
            Revision {draft.head.sequence} was published while you were editing revision {draft.base.sequence}. Your
            draft is untouched.
          </>
        ) : (
          <>
            Your draft {sayCount(changes.length)} revision {draft.base.sequence}. It is kept in this browser.
          </>
        )}{' '}
        {softening > 0 ? (
          <StateBadge state="warn">{`${softening} ${softening === 1 ? 'lets' : 'let'} more pass`}</StateBadge>
        ) : null}{' '}
        {errors > 0 && !report?.needsConfirm ? (
          <StateBadge state="bad">{errors === 1 ? '1 error' : `${errors} errors`}</StateBadge>
        ) : null}
      </span>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={listing.open}>
          See changes
        </Button>
        <Discard draft={draft} />
        {draft.isOverTaken ? (
          <Button size="xs" onClick={resolving.open}>
            Compare and resolve
          </Button>
        ) : mayPublish ? (
          <Button size="xs" onClick={publishing.open}>
            Publish…
          </Button>
        ) : null}
      </Group>
      {isListed ? (
        <Dialog onClose={listing.close} size="lg" title="What your draft changes">
          <ChangeList changes={changes} />
        </Dialog>
      ) : null}
      {isPublishing ? (
        <PublishDialog
          draft={draft}
          documents={documents}
          onClose={publishing.close}
          onConflict={() => {
            publishing.close()
            resolving.open()
          }}
        />
      ) : null}
      {isResolving ? <ConflictDialog draft={draft} documents={documents} onClose={resolving.close} /> : null}
    </>
  )
}

const sayCount = (count: number): string =>
  count === 0
    ? 'has no change in meaning compared with'
    : count === 1
      ? 'makes 1 change to'
      : `makes ${count} changes to`

function Discard({ draft }: { readonly draft: PolicyDraft }) {
  const [isAsking, asking] = useDisclosure(false)
  return (
    <>
      <Button variant="default" size="xs" onClick={asking.open}>
        Discard
      </Button>
      {isAsking ? (
        <Dialog onClose={asking.close} title="Discard the draft?" size="sm">
          <Stack gap="md">
            The current policy stays as it is. Your changes cannot be recovered.
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={asking.close}>
                Keep the draft
              </Button>
              <Button
                color="red"
                onClick={() => {
                  asking.close()
                  draft.discard()
                }}
              >
                Discard it
              </Button>
            </Group>
          </Stack>
        </Dialog>
      ) : null}
    </>
  )
}
