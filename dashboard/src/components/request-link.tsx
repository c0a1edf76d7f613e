import { Anchor, type AnchorProps } from '@mantine/core'
import { Link } from 'react-router'

const unitsShown = 8

/** A link to the history of a request, by the end of its id: the ids of one hour begin alike. */
export function RequestLink({ id, ...props }: { readonly id: string } & AnchorProps) {
  return (
    <Anchor component={Link} to={`/requests/${encodeURIComponent(id)}`} className="mono nowrap" title={id} {...props}>
      …{id.slice(-unitsShown)}
    </Anchor>
  )
}
