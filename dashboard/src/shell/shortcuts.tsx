import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect, useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../api/session.ts'
import { toLookUp } from './look-up.ts'
import { navigationEntries } from './navigation.ts'

const chordMs = 1200

/** `g` and a letter open a page, `/` the field for a request ID, `?` this list. None of them works while typing. */
export function Shortcuts() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const navigate = useNavigate()
  const chordUntil = useRef(0)
  const { data: session } = useSession()
  const permissions = session?.user?.permissions
  const entries = useMemo(
    () => navigationEntries.filter(({ permission }) => permissions?.includes(permission)),
    [permissions]
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      const isChord = Date.now() <= chordUntil.current
      chordUntil.current = event.key === 'g' ? Date.now() + chordMs : 0
      const path = isChord ? entries.find(({ key }) => key === event.key)?.path : undefined
      if (path !== undefined) void navigate(path)
      else if (event.key === '/') {
        // Existing filters stay.
        const search = window.location.pathname === '/search' ? window.location.search : ''
        void navigate({ pathname: '/search', search }, { state: toLookUp(), replace: search !== '' })
      } else if (event.key === '?') toggle()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, toggle, entries])
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Table>
        <Table.Tbody>
          {entries.map(({ key, title }) => (
            <Row key={key} keys={['g', key]} what={title} />
          ))}
          <Row keys={['/']} what="Open a request by its ID" />
          <Row keys={['?']} what="This list" />
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

function Row({ keys, what }: { readonly keys: readonly string[]; readonly what: string }) {
  return (
    <Table.Tr>
      <Table.Td w={110}>
        {keys.map((key) => (
          <Kbd key={key} mr={4}>
            {key}
          </Kbd>
        ))}
      </Table.Td>
      <Table.Td>{what}</Table.Td>
    </Table.Tr>
  )
}

/** Inputs that accept no text. */
const toggles: ReadonlySet<string> = new Set(['radio', 'checkbox', 'button', 'submit'])

function isTyping({ target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement) return !toggles.has(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName))
}
