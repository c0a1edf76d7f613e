import { Modal, Text } from '@mantine/core'
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx'

/** Asks the user to sign in again on top of the open page, so that a draft on it is not lost. */
export function SessionEnded({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <Modal
      opened={isOpen}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Your session has ended"
    >
      <Text size="sm" c="dimmed" mb="md">
        Sign in again to continue. What you typed on this page is still there.
      </Text>
      <SignInForm />
    </Modal>
  )
}
