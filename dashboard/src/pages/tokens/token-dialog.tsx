import type { ReactNode } from 'react'
import type { MadeTokenBody } from '../../../../src/protocol/api/token-schema.ts'
import { MadeToken } from './made-token.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatName } from '../../components/format.ts'

/** A dialog that ends with a token: first its questions, then the token, which is only shown here. */
export function TokenDialog({
  title,
  made,
  onClose,
  children
}: {
  readonly title: string
  /** Undefined until there is one. */
  readonly made: MadeTokenBody | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={made ? `New token “${formatName(made.summary.label)}”` : title}
      // Something that is shown only once must not be closed by accident.
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      withCloseButton={!made}
    >
      {made ? (
        <MadeToken
          token={made.token}
          isForClients={made.summary.scopes.some((scope) => scope === 'ingress:write' || scope === 'admin')}
          onClose={onClose}
        />
      ) : (
        children
      )}
    </Dialog>
  )
}
