import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/** A dialog that is open for as long as it is rendered. When it closes, the focus returns to where it came from. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack()
  return <Modal {...props} opened />
}

/** The library returns the focus when a dialog is closed, but not when it is unmounted with its content. */
function useFocusBack(): void {
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      // A focus that has moved elsewhere stays there.
      if (document.activeElement !== null && document.activeElement !== document.body) return
      // What opened the dialog may be gone because of the action: a removed row, a published draft.
      const target = opener?.isConnected ? opener : document.getElementById('main')
      target?.focus({ preventScroll: true })
    },
    [opener]
  )
}

/** A menu's item disappears with its menu; the menu's button stays. */
function openerOf(element: Element | null): HTMLElement | null {
  const menuButton = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menuButton ? document.getElementById(menuButton) : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
