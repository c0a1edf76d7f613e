import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/** A dialogue that is open as long as it is rendered. When it goes, the focus is where it came from. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack()
  return <Modal {...props} opened />
}

/** The library gives the focus back when a dialogue is closed, and not when it is taken out of the page with its content. */
function useFocusBack(): void {
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      // Whoever is elsewhere already stays there.
      if (document.activeElement !== null && document.activeElement !== document.body) return
      // What led here may be gone with what was done: a row that was removed, a draft that was published.
      const target = opener?.isConnected ? opener : document.getElementById('main')
      target?.focus({ preventScroll: true })
    },
    [opener]
  )
}

/** The item of a menu goes with its menu; what opened that stays. */
function openerOf(element: Element | null): HTMLElement | null {
  const menuButton = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menuButton ? document.getElementById(menuButton) : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
